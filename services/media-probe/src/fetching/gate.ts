/** Who asks and for what: turns go round the accounts, and neither an account nor a host takes all places. */
export type Visitor = { account: string; host: string }

export type GateLimits = {
  placesMax: number
  perAccountMax: number
  perHostMax: number
  /** No new visitor enters while this says no; those inside go on. */
  open?: () => boolean
}

export type Gate = {
  /** Resolves with the way out, which must be taken; rejects with the signal's reason when that comes first. */
  enter(visitor: Visitor, signal: AbortSignal): Promise<() => void>
  /** Looks again whether somebody may enter, after what `open` asks about has changed. */
  look(): void
  waiting(): number
  inside(): number
}

type Waiter = Visitor & { admit(): void }

/** Bounds work done at one moment, fair between accounts: a slow host's visitors wait for it, everybody else walks past them. */
export function createGate({ placesMax, perAccountMax, perHostMax, open = () => true }: GateLimits): Gate {
  // Insertion order is the order of turns: an account that was served goes to the end.
  const queues = new Map<string, Waiter[]>()
  const accounts = new Map<string, number>()
  const hosts = new Map<string, number>()
  let inside = 0

  const mayEnter = ({ account, host }: Visitor) => (accounts.get(account) ?? 0) < perAccountMax && (hosts.get(host) ?? 0) < perHostMax

  function next(): Waiter | undefined {
    for (const [account, queue] of queues) {
      const index = queue.findIndex(mayEnter)
      const waiter = queue[index]
      if (!waiter) continue
      queue.splice(index, 1)
      queues.delete(account)
      if (queue.length > 0) queues.set(account, queue)
      return waiter
    }
    return undefined
  }

  function admitAll(): void {
    while (inside < placesMax && open()) {
      const waiter = next()
      if (!waiter) return
      inside += 1
      add(accounts, waiter.account, 1)
      add(hosts, waiter.host, 1)
      waiter.admit()
    }
  }

  function leave({ account, host }: Visitor): void {
    inside -= 1
    add(accounts, account, -1)
    add(hosts, host, -1)
    admitAll()
  }

  function forget(waiter: Waiter): void {
    const queue = (queues.get(waiter.account) ?? []).filter(other => other !== waiter)
    if (queue.length > 0) queues.set(waiter.account, queue)
    else queues.delete(waiter.account)
  }

  return {
    enter(visitor, signal) {
      signal.throwIfAborted()
      const { promise, resolve, reject } = Promise.withResolvers<() => void>()
      let left = false
      const waiter: Waiter = {
        ...visitor,
        admit() {
          signal.removeEventListener('abort', giveUp)
          resolve(() => {
            if (!left) leave(visitor)
            left = true
          })
        },
      }
      const giveUp = () => {
        forget(waiter)
        reject(signal.reason)
      }
      signal.addEventListener('abort', giveUp, { once: true })
      queues.set(visitor.account, [...(queues.get(visitor.account) ?? []), waiter])
      admitAll()
      return promise
    },
    look: admitAll,
    waiting: () => [...queues.values()].reduce((sum, queue) => sum + queue.length, 0),
    inside: () => inside,
  }
}

function add(counts: Map<string, number>, key: string, change: number): void {
  const count = (counts.get(key) ?? 0) + change
  if (count === 0) counts.delete(key)
  else counts.set(key, count)
}
