import { type Account, openAccount } from '../../support/client/account'
import { ownWords } from '../../support/client/request'
import { simulator } from '../../support/simulator'

/** One order: what its client read, and when it was sent. */
export type Ordered = {
  model: string
  status: number
  code: string
  taskId: string | undefined
  account: Account
  prompt: string
  sentAtMs: number
}

export type Traffic = { orders: Ordered[]; accounts: Account[]; stop(): Promise<void> }

const accountCount = 30
export const ordersPerSecond = 5

/** Every video is there at once: what counts here is who takes the order. */
export const makeInstant = () => simulator.behave('scene', [{ name: 'instant' }])

/** Accounts in turn, and these requests in turn, five times a second until it is stopped. No order waits for the one before. */
export async function startTraffic(requests: Record<string, unknown>[]): Promise<Traffic> {
  const accounts = await openAccounts()
  const orders: Ordered[] = []
  const under: Promise<unknown>[] = []
  let count = 0
  const timer = setInterval(() => {
    const [account, request] = [accounts[count % accounts.length], requests[count % requests.length]]
    count += 1
    if (account && request) under.push(order(account, request).then(one => orders.push(one)))
  }, 1_000 / ordersPerSecond)
  return {
    orders,
    accounts,
    async stop() {
      clearInterval(timer)
      await Promise.all(under)
    },
  }
}

async function openAccounts(): Promise<Account[]> {
  const accounts: Account[] = []
  while (accounts.length < accountCount)
    accounts.push(...(await Promise.all(Array.from({ length: 10 }, () => openAccount({ credits: 200_000 })))))
  return accounts
}

/** Sends one order and reads its answer; 0 where there was none. */
export async function order(account: Account, request: Record<string, unknown>): Promise<Ordered> {
  const prompt = ownWords()
  const sent = { model: String(request.model), account, prompt, sentAtMs: performance.now() }
  return account.api.generate({ ...request, prompt }).then(
    ({ status, body }) => ({
      ...sent,
      status,
      code: body.error?.code ?? '',
      taskId: body.id ?? body.error?.details?.task_id,
    }),
    error => ({ ...sent, status: 0, code: String(error), taskId: undefined }),
  )
}

/** How often each answer came. */
export function tally(orders: Ordered[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { status, code } of orders) counts[`${status} ${code}`.trim()] = (counts[`${status} ${code}`.trim()] ?? 0) + 1
  return counts
}
