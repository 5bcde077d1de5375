import type { Sql } from '@filmgate/kit/database/postgres'
import { operatorAuth } from '@filmgate/kit/operator/operator-auth'
import type { Operators } from '@filmgate/kit/operator/operators'
import type { Listed } from '@filmgate/proto/operator/answer'
import type * as answers from '@filmgate/proto/operator/provider'
import { Elysia } from 'elysia'
import { endStates } from '../attempt/attempt'
import { pageOf, queryOf, readCursor, readMatching, readProvider, readRange } from '../cost/range'
import { findHolds } from '../holds/hold-repository'
import { holdView } from '../holds/operator-routes'
import { countOutcomes, listOutcomeAttempts, type OutcomeAttempt, type OutcomeCount } from './outcome-repository'

export type OutcomeRouteDeps = { sql: Sql; operators: Operators }

const rowsMax = 50
const nameForm = /^[\w.-]{1,100}$/
const stateForm = new RegExp(`^(open|${endStates.join('|')})$`)
/** For `provider`: orders that were refused without asking one. */
const nobody = 'none'

/** What became of the attempts of a time, by provider and model, and the attempts behind each count. */
export const outcomeRoutes = ({ sql, operators }: OutcomeRouteDeps) =>
  new Elysia({ name: 'outcomes', prefix: '/operator/outcomes', normalize: false })
    .use(operatorAuth(operators))
    .get('/', async function getOutcomes({ request }): Promise<answers.Outcomes> {
      const [counts, holds] = await Promise.all([countOutcomes(sql, readRange(queryOf(request))), findHolds(sql)])
      return { data: outcomesOf(counts), holds: holds.map(holdView) }
    })
    .get('/attempts', async function getOutcomeAttempts({ request }): Promise<Listed<answers.OutcomeAttempt>> {
      const query = queryOf(request)
      const filter = {
        ...readRange(query),
        provider: query.get('provider') === nobody ? '' : readProvider(query),
        model: readMatching(query, 'model', nameForm),
        state: readMatching(query, 'state', stateForm),
        code: readMatching(query, 'code', nameForm),
        cursor: readCursor(query),
      }
      const rows = await listOutcomeAttempts(sql, { ...filter, rowsMax: rowsMax + 1 })
      return pageOf(rows, rowsMax, attemptView)
    })

const outcomesOf = (counts: OutcomeCount[]): answers.Outcome[] =>
  [...Map.groupBy(counts, ({ provider, model }) => `${provider} ${model}`).values()].map(outcomeOf)

function outcomeOf(counts: OutcomeCount[]): answers.Outcome {
  const [{ provider, model } = { provider: '', model: '' }] = counts
  const sum = (rows: OutcomeCount[]) => rows.reduce((total, { attempts }) => total + attempts, 0)
  const completed = counts.filter(({ state }) => state === 'completed')
  const failures = counts.filter(({ state }) => state === 'failed' || state === 'refused')
  const [p50, p95] = completed[0]?.seconds ?? []
  return {
    ...{ provider: provider || null, model, attempts: sum(counts), open: sum(counts.filter(({ state }) => state === 'open')) },
    ...{ completed: sum(completed), seconds_p50: p50 ?? null, seconds_p95: p95 ?? null },
    failures: failures.map(({ state, code, attempts }) => ({ state, code, attempts })),
  }
}

const attemptView = (attempt: OutcomeAttempt): answers.OutcomeAttempt => ({
  ...{ id: attempt.id, task_id: attempt.taskId, account_id: attempt.accountId, provider: attempt.provider || null },
  ...{ model: attempt.model, state: attempt.state, code: attempt.code, cause: attempt.cause },
  ...{ created_at: attempt.createdAt.toISOString(), ended_at: attempt.endedAt?.toISOString() ?? null },
})
