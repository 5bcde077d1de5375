import { uuidv7 } from 'uuidv7'
import type { Account } from '../../support/client/account'
import { smallRequest } from '../../support/client/request'
import { generateStubbornly, taskEnd } from '../../support/client/stubborn-client'
import { askOperator, operate } from '../../support/operator/operator'
import type { Random } from '../../support/random'
import { until } from '../../support/until'

/** Credits that left each account, as whoever spent them was told. */
export type Spent = Map<string, number>
export type Spending = { stop(): Promise<Spent> }

const pauseMs = 250
const decidedWithinMs = 180_000

/** How an account spends: videos by the API, or an operator's debits, which leave next to nothing. */
export type Manner = 'videos' | 'debits'

/** Spends what each account has, again and again, whatever is down meanwhile; `stop` waits for what was begun. */
export function startSpending(accounts: [Account, Manner][], random: Random): Spending {
  const spent: Spent = new Map()
  const ending = Promise.withResolvers<void>()
  let stopped = false
  async function spend([account, manner]: [Account, Manner]): Promise<void> {
    while (!stopped) {
      const credits = manner === 'videos' ? await makeVideo(account) : await debitMost(account, random)
      spent.set(account.accountId, (spent.get(account.accountId) ?? 0) + credits)
      await Promise.race([Bun.sleep(pauseMs), ending.promise])
    }
  }
  const running = Promise.all(accounts.map(spend))
  // Whoever stops hears of it; until then it is nobody's.
  running.catch(() => undefined)
  return {
    async stop() {
      stopped = true
      ending.resolve()
      await running
      return spent
    },
  }
}

/** What a video cost in the end; nothing where the account can't pay for one now. */
async function makeVideo({ api }: Account): Promise<number> {
  const id = await generateStubbornly(api, smallRequest(), { timeoutMs: decidedWithinMs }).catch((error: Error) => {
    if (error.message.startsWith('402 ')) return undefined
    throw error
  })
  if (!id) return 0
  const { credits_used, credits_refunded } = await taskEnd(api, id, decidedWithinMs)
  return credits_used - credits_refunded
}

/** Asks for one debit until the ledger has decided it. A balance that fell meanwhile declines it. */
async function debitMost({ accountId }: Account, random: Random): Promise<number> {
  const path = `/accounts/${accountId}`
  const { account } = await operate<{ account: { available: number } }>('ledger', 'GET', path).catch(() => ({ account: { available: 0 } }))
  const credits = Math.floor(account.available * random.between(0.7, 1))
  if (credits === 0) return 0
  const body = { id: uuidv7(), credits, balance: 'paid', reason: 'spent in the storm' }
  const state = await until(
    `the decision on a debit of ${accountId}`,
    async () => {
      const answer = await askOperator('gateway', 'POST', `${path}/debits`, body).catch(() => undefined)
      if (answer && answer.status >= 400 && answer.status < 500) throw new Error(`${answer.status} ${answer.text}`)
      return answer?.status === 200 && (JSON.parse(answer.text) as { state: string }).state
    },
    decidedWithinMs,
  )
  return state === 'applied' ? credits : 0
}
