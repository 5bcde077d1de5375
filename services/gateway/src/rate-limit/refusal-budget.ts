/**
 * Limits the POSTs of an account that were refused after their reservation: `limit` (100 by default) in any ten minutes.
 * Such a POST costs its client nothing, and us four entries for ever, events and fetched media. Over the budget the
 * account creates nothing (429 `rate_limited`, `details.limit: "refusals"`); reads, estimates and replays go on.
 *
 * A refusal counts where it is the client's (400): for its media or its content. Each whole second of processor time
 * that its media took counts as one more, but a task takes at most a quarter of the budget: an honest client may send one
 * film that is too large. It counts when the event that refused it is merged, so that a client that hangs up is counted too.
 *
 * Known limitations:
 * - POSTs that are admitted at the same moment may exceed the limit by the account's unfinished tasks.
 * - A Redis that is lost, new or emptied knows no refusals: then creation is refused by nothing but the limit of keys,
 *   which stays in force by shares. `rate_limit_redis_absent` shows it.
 */
import { Failure } from '@filmgate/kit/failure'
import type { Log } from '@filmgate/kit/telemetry/log'
import { counter } from '@filmgate/kit/telemetry/metrics'
import type { Redis } from 'ioredis'
import { type Reason, reasons } from '../errors'
import { type AskRedis, createAskRedis } from '../redis/ask-redis'
import { createRunScript } from '../redis/run-script'
import countRefusalsLua from './count-refusals.lua' with { type: 'text' }

const tenMinutesMs = 600_000
/** Of the budget, for one task's media. */
const taskShareMax = 1 / 4

const refusedCreations = counter('refusal_budget_refused', 'Creations refused because too many POSTs of the account had been refused')

export type RefusalBudgetDeps = {
  redis: Redis
  /** The limit of keys asks before; where it has lost Redis, nobody waits for it here once more. */
  askRedis: Pick<AskRedis, 'isLost'>
  log: Log
  limit: number
  now(): Date
  /** For tests, in which ten minutes pass in seconds. */
  windowMs?: number
}

/** What a task has that counts, as the projection merged it. */
export type MergedTask = { id: string; accountId: string; phase: string; errorCode: string | null; createdAt: Date }

export type RefusalBudget = {
  /** Refuses (429) to create while the account is over its budget. */
  throwIfSpent(accountId: string): Promise<void>
  /** Counts those of these tasks that were refused for what their client sent, with the processor time that their media took. */
  count(tasks: MergedTask[], processorSeconds?: ReadonlyMap<string, number>): void
}

export function createRefusalBudget({ redis, askRedis, log, limit, now, windowMs = tenMinutesMs }: RefusalBudgetDeps): RefusalBudget {
  const run = createRunScript(redis, countRefusalsLua)
  // Of its own: an error here, such as a command that Redis forbids, must not take Redis from the limit of keys.
  const own = createAskRedis()

  /** How long until the account is within its budget; 0 too where Redis is lost. */
  async function tell(accountId: string, members: string[]): Promise<number> {
    if (askRedis.isLost() || !own.mayAsk()) return 0
    try {
      return Number(await own.ask(run([`limits:refusals:${accountId}`], [limit, windowMs * 1_000, ...members]))) / 1_000
    } catch (error) {
      log.warn({ err: error, account_id: accountId }, 'budget of refusals not read')
      return 0
    }
  }

  return {
    async throwIfSpent(accountId) {
      const waitMs = await tell(accountId, [])
      if (waitMs <= 0) return
      refusedCreations.add()
      const minutes = windowMs / 60_000
      throw new Failure<Reason>('rate_limited', {
        message: `Too many requests of this account were refused within ${minutes} minutes, or their media took too long to check. Nothing is created until the seconds in Retry-After have passed. Estimates and reads go on.`,
        details: { limit: 'refusals' },
        retryAfterSeconds: Math.ceil(waitMs / 1_000),
      })
    },
    count(tasks, processorSeconds) {
      // An event that is sent again later counts nothing anew.
      const refused = tasks.filter(task => isClientsRefusal(task) && now().getTime() - task.createdAt.getTime() < windowMs)
      for (const [accountId, some] of Map.groupBy(refused, task => task.accountId)) {
        void tell(
          accountId,
          some.flatMap(({ id }) => membersOf(id, Math.min(limit * taskShareMax, processorSeconds?.get(id) ?? 0))),
        )
      }
    },
  }
}

/** The refusal, and one more for each whole second. */
const membersOf = (taskId: string, seconds: number): string[] => [
  taskId,
  ...Array.from({ length: Math.floor(seconds) }, (_, index) => `${taskId} ${index + 1}`),
]

/** Refused after its reservation with a 400; a 503 is no fault of the client. */
const isClientsRefusal = ({ phase, errorCode }: MergedTask): boolean =>
  phase === 'refused' && errorCode !== null && (errorCode === 'cancelled' || reasons[errorCode as Reason]?.[0] === 400)
