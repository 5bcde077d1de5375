/** The account and host that need a slot. Slots rotate between accounts, and neither can take all of them. */
export type SlotRequest = { account: string; host: string }

export type GateLimits = {
  slotsMax: number
  perAccountMax: number
  perHostMax: number
  /** While false, no slot is granted; held slots stay valid. */
  canGrant?: () => boolean
}

export type Gate = {
  /** Resolves with the function that releases the slot, which must be called. Rejects if the signal aborts first. */
  acquire(request: SlotRequest, signal: AbortSignal): Promise<() => void>
  /** Grants slots again after the result of `canGrant` may have changed. */
  recheck(): void
  /** Of an account, or of all. */
  waiting(account?: string): number
  inUse(): number
}

type Waiter = SlotRequest & { grant(): void }

/** A fair semaphore. Requests for a busy host wait without blocking those for other hosts. */
export function createGate({ slotsMax, perAccountMax, perHostMax, canGrant = () => true }: GateLimits): Gate {
  // Insertion order is the round-robin order: an account that was served moves to the end.
  const queues = new Map<string, Waiter[]>()
  const accounts = new Map<string, number>()
  const hosts = new Map<string, number>()
  let inUse = 0

  const fits = ({ account, host }: SlotRequest) => (accounts.get(account) ?? 0) < perAccountMax && (hosts.get(host) ?? 0) < perHostMax

  function next(): Waiter | undefined {
    for (const [account, queue] of queues) {
      const index = queue.findIndex(fits)
      const waiter = queue[index]
      if (!waiter) continue
      queue.splice(index, 1)
      queues.delete(account)
      if (queue.length > 0) queues.set(account, queue)
      return waiter
    }
    return undefined
  }

  function grantAll(): void {
    while (inUse < slotsMax && canGrant()) {
      const waiter = next()
      if (!waiter) return
      inUse += 1
      add(accounts, waiter.account, 1)
      add(hosts, waiter.host, 1)
      waiter.grant()
    }
  }

  function release({ account, host }: SlotRequest): void {
    inUse -= 1
    add(accounts, account, -1)
    add(hosts, host, -1)
    grantAll()
  }

  function dequeue(waiter: Waiter): void {
    const queue = (queues.get(waiter.account) ?? []).filter(other => other !== waiter)
    if (queue.length > 0) queues.set(waiter.account, queue)
    else queues.delete(waiter.account)
  }

  return {
    acquire(request, signal) {
      signal.throwIfAborted()
      const { promise, resolve, reject } = Promise.withResolvers<() => void>()
      let released = false
      const waiter: Waiter = {
        ...request,
        grant() {
          signal.removeEventListener('abort', cancel)
          resolve(() => {
            if (!released) release(request)
            released = true
          })
        },
      }
      const cancel = () => {
        dequeue(waiter)
        reject(signal.reason)
      }
      signal.addEventListener('abort', cancel, { once: true })
      queues.set(request.account, [...(queues.get(request.account) ?? []), waiter])
      grantAll()
      return promise
    },
    recheck: grantAll,
    waiting: account =>
      account === undefined ? [...queues.values()].reduce((sum, queue) => sum + queue.length, 0) : (queues.get(account)?.length ?? 0),
    inUse: () => inUse,
  }
}

function add(counts: Map<string, number>, key: string, change: number): void {
  const count = (counts.get(key) ?? 0) + change
  if (count === 0) counts.delete(key)
  else counts.set(key, count)
}
