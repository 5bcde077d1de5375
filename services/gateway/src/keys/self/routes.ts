import type { Sql } from '@filmgate/kit/database/postgres'
import { Failure } from '@filmgate/kit/failure'
import { Elysia } from 'elysia'
import { type Budget, budgetView } from '../../budgets/budget'
import { listBudgetsOfKey } from '../../budgets/budget-repository'
import { readAlone } from '../../database/batched-read'
import type { Reason } from '../../errors'
import { keyPrefix } from '../api-key'
import { type AuthenticateDeps, authenticate } from '../authenticate'
import { findSelf, type SelfKey } from './self-repository'

export type SelfDeps = { sql: Sql; unfinishedTasksMax: number; now(): Date }

/** GET /keys/self: the key that asks, its limits, its budgets and what it spent. */
export const keySelf = (deps: SelfDeps & AuthenticateDeps) =>
  new Elysia({ name: 'key-self', normalize: false })
    .use(authenticate(deps))
    .get('/keys/self', async function getKeySelf({ caller, leftMs }) {
      const now = deps.now()
      const [key, budgets] = await Promise.all([
        readAlone(findSelf(deps.sql, caller.keyId, now), leftMs),
        readAlone(listBudgetsOfKey(deps.sql, caller), leftMs),
      ])
      if (!key) throw new Failure<Reason>('invalid_api_key')
      const limits = { requests: caller.requestLimit ?? deps.rateLimit, unfinished: key.unfinishedTasksMax ?? deps.unfinishedTasksMax }
      return { ...selfView(caller.keyId, key, limits), budgets: budgets.flatMap(budget => capsView(budget, now)) }
    })

const selfView = (keyId: string, key: SelfKey, { requests, unfinished }: { requests: number; unfinished: number }) => ({
  key_id: keyId,
  prefix: keyPrefix(keyId),
  name: key.name,
  created_at: key.createdAt.toISOString(),
  expires_at: key.expiresAt?.toISOString() ?? null,
  limits: { requests_per_minute: requests, unfinished_tasks: unfinished, models: key.models, addresses: key.addresses },
  spend: { today_credits: key.today, month_credits: key.month },
})

/** A row a cap: nothing of who set it, or of other keys and members. */
const capsView = (budget: Budget & { timeZone: string }, now: Date) =>
  budgetView(budget, budget.timeZone, now).caps.map(cap => ({ budget: budget.scope, ...cap }))
