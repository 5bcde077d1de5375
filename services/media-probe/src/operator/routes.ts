import type { Sql } from '@filmgate/kit/database/postgres'
import { Failure } from '@filmgate/kit/failure'
import { needsRole } from '@filmgate/kit/operator/needs-role'
import { operatorAuth } from '@filmgate/kit/operator/operator-auth'
import { operatorName } from '@filmgate/kit/operator/operator-name'
import type { Operators } from '@filmgate/kit/operator/operators'
import { replayBody } from '@filmgate/kit/operator/replay-body'
import { readJsonAs } from '@filmgate/kit/request/read-json'
import { decisionsMax, type ProbeTask, type PublishedEvents, type ReplayPart, type RestoredDecisions } from '@filmgate/proto/operator/task'
import { decode, topics } from '@filmgate/proto/topics'
import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Reason } from '../errors'
import { type ReplayDeps, replay, replaySince } from '../verification/replay'
import { restoreDecisions } from '../verification/restore-decisions'
import { findVerification, type VerificationRow } from '../verification/verification-repository'

export type OperatorDeps = ReplayDeps & { sql: Sql; operators: Operators }

const ReplaySince = replayBody('tasks')
/** Published events in base64. */
const Decisions = Type.Object(
  { events: Type.Array(Type.String({ pattern: '^[A-Za-z0-9+/]+={0,2}$' }), { maxItems: decisionsMax }) },
  { additionalProperties: false },
)
const taskIdForm = /^[A-Za-z0-9_-]{1,120}$/

/** Operators' routes, behind operators' tokens. */
export const operator = (deps: OperatorDeps) =>
  new Elysia({ name: 'operator', prefix: '/operator', normalize: false })
    .use(operatorAuth(deps.operators))
    .get('/tasks/:id', async function getTask({ params: { id } }): Promise<ProbeTask> {
      return { verification: view(await requireVerification(deps.sql, id)) }
    })
    .post(
      '/tasks/:id/replay',
      async function postReplay({ params: { id }, request }): Promise<PublishedEvents> {
        operatorName(request)
        await requireVerification(deps.sql, id)
        const decisions = await replay(deps, [id])
        return { published: decisions.map(({ event }) => decode(topics.media.schema, event).event.case ?? '') }
      },
      needsRole('support'),
    )
    .post(
      '/replay',
      async function postReplaySince({ request }): Promise<ReplayPart> {
        const { since, after = '' } = await readJsonAs(ReplaySince, request)
        operatorName(request)
        return replaySince(deps, { since: new Date(since), after })
      },
      needsRole('support', ReplaySince),
    )
    .post(
      '/decisions',
      async function postDecisions({ request }): Promise<RestoredDecisions> {
        const { events } = await readJsonAs(Decisions, request)
        operatorName(request)
        const bytes = events.map(event => Uint8Array.from(Buffer.from(event, 'base64')))
        return { restored: await restoreDecisions(deps.sql, bytes) }
      },
      needsRole('support', Decisions),
    )

async function requireVerification(sql: Sql, taskId: string): Promise<VerificationRow> {
  const verification = taskIdForm.test(taskId) ? await findVerification(sql, taskId) : undefined
  if (!verification) throw new Failure<Reason>('task_not_found')
  return verification
}

const view = ({ taskId, accountId, state, objectKeys, createdAt, changedAt }: VerificationRow): ProbeTask['verification'] => ({
  task_id: taskId,
  account_id: accountId,
  state,
  object_keys: objectKeys,
  created_at: createdAt.toISOString(),
  changed_at: changedAt.toISOString(),
})
