import type { Sql } from '@filmgate/kit/database/postgres'
import { Failure } from '@filmgate/kit/failure'
import { needsRole } from '@filmgate/kit/operator/needs-role'
import { operatorAuth } from '@filmgate/kit/operator/operator-auth'
import { By, operatorName } from '@filmgate/kit/operator/operator-name'
import type { Operators } from '@filmgate/kit/operator/operators'
import { replayBody } from '@filmgate/kit/operator/replay-body'
import { readJsonAs } from '@filmgate/kit/request/read-json'
import { id, words } from '@filmgate/kit/request/text'
import type { Listed } from '@filmgate/proto/operator/answer'
import type { Acknowledged, Audit, AuditRun, Contradiction, LedgerAccount, LedgerTask } from '@filmgate/proto/operator/books'
import type { PublishedEvents, ReplayPart } from '@filmgate/proto/operator/task'
import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { type AuditRules, audit } from '../audit/audit'
import { listAuditRuns } from '../audit/audit-repository'
import { findAccount } from '../database/account-repository'
import { acknowledgeContradictions, findContradictions, listOpenContradictions } from '../database/contradiction-repository'
import { findDeclinedTask } from '../database/declined-repository'
import { findEntries } from '../database/entry-repository'
import { findRelease } from '../database/release-repository'
import { findOpenReservations, findReservation } from '../database/reservation-repository'
import type { Reason } from '../errors'
import type { PostDeps } from '../posting/post'
import { beginEpoch } from './begin-epoch'
import { factRoutes } from './fact-routes'
import { releaseTask, replayTask } from './recover-task'
import { replayChanges, replayTasks } from './replay-since'
import { accountView, contradictionView, declinedView, entryView, releaseView, reservationView } from './views'

export type OperatorDeps = PostDeps & { sql: Sql; operators: Operators; auditRules: AuditRules }

const contradictionsMax = 500
const auditLockWaitMs = 20_000

const Acknowledgement = Type.Object({ reason: words(500), by: By }, { additionalProperties: false })
const Replay = replayBody('changes', 'tasks')
const Epoch = Type.Object({ after: Type.Optional(id) }, { additionalProperties: false })
const Release = Type.Object(
  {
    account_id: id,
    admit_by: Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$' }),
    reason: words(500),
    by: By,
  },
  { additionalProperties: false },
)

/** What operators and their tools read and change in the books. */
export const operator = (deps: OperatorDeps) =>
  new Elysia({ name: 'operator', prefix: '/operator', normalize: false })
    .use(operatorAuth(deps.operators))
    .use(taskRoutes(deps))
    .use(bookRoutes(deps))
    .use(factRoutes(deps))

const taskRoutes = (deps: OperatorDeps) =>
  new Elysia({ normalize: false })
    .get('/tasks/:id', async function showTask({ params: { id } }): Promise<LedgerTask> {
      const { sql } = deps
      const [reservation, declined, release, entries, contradictions] = await Promise.all([
        findReservation(sql, id),
        findDeclinedTask(sql, id),
        findRelease(sql, id),
        findEntries(sql, id),
        findContradictions(sql, id),
      ])
      if (!reservation && !declined && !release && contradictions.length === 0) throw new Failure<Reason>('task_not_found')
      return {
        reservation: reservation ? reservationView(reservation) : null,
        declined: declined ? declinedView(declined) : null,
        release: release ? releaseView(release) : null,
        entries: entries.map(entryView),
        contradictions: contradictions.map(contradictionView),
      }
    })
    .post(
      '/tasks/:id/acknowledge',
      async function acknowledge({ params: { id }, request }): Promise<Acknowledged> {
        const { reason, by } = await readJsonAs(Acknowledgement, request)
        const acknowledged = await acknowledgeContradictions(deps.sql, id, { reason, by: operatorName(request, by) })
        if (acknowledged === 0) throw new Failure<Reason>('contradiction_not_found')
        return { acknowledged }
      },
      needsRole('support', Acknowledgement),
    )
    .post(
      '/tasks/:id/replay',
      async function replay({ params: { id }, request }): Promise<PublishedEvents> {
        operatorName(request)
        return { published: await replayTask(deps, id) }
      },
      needsRole('support'),
    )
    .post(
      '/tasks/:id/release',
      async function release({ params: { id }, request }): Promise<PublishedEvents> {
        const { account_id, admit_by, reason, by } = await readJsonAs(Release, request)
        const operator = operatorName(request, by)
        return {
          published: await releaseTask(deps, { taskId: id, accountId: account_id, admitByMs: Date.parse(admit_by), reason, by: operator }),
        }
      },
      needsRole('support', Release),
    )

const bookRoutes = (deps: OperatorDeps) => {
  const { sql, now, auditRules } = deps
  return new Elysia({ normalize: false })
    .get('/accounts/:id', async function showAccount({ params: { id } }): Promise<LedgerAccount> {
      const [account, open] = await Promise.all([findAccount(sql, id), findOpenReservations(sql, id)])
      if (!account) throw new Failure<Reason>('account_not_found')
      return { account: accountView(account, open, now()), open: open.map(reservationView) }
    })
    .get(
      '/audits',
      async function getAudits({ query: { limit } }): Promise<Listed<AuditRun>> {
        const runs = await listAuditRuns(sql, limit === undefined ? 1 : Number(limit))
        return { data: runs.map(({ at, ...run }) => ({ at: at.toISOString(), ...run })) }
      },
      { query: Type.Object({ limit: Type.Optional(Type.String({ pattern: '^([1-9]|1[0-9]|20)$' })) }) },
    )
    .post(
      '/replay',
      async function postReplay({ request }): Promise<ReplayPart> {
        const { part, since, after = '' } = await readJsonAs(Replay, request)
        operatorName(request)
        const asked = { since: new Date(since), after }
        return part === 'changes' ? replayChanges(deps, asked) : replayTasks(deps, asked)
      },
      needsRole('support', Replay),
    )
    .post(
      '/epoch',
      async function postEpoch({ request }): Promise<ReplayPart> {
        const { after = '' } = await readJsonAs(Epoch, request)
        operatorName(request)
        return beginEpoch(deps, after)
      },
      needsRole('money', Epoch),
    )
    .get('/contradictions', async function getContradictions(): Promise<Listed<Contradiction>> {
      const open = await listOpenContradictions(sql, contradictionsMax)
      return { data: open.map(one => ({ task_id: one.taskId, account_id: one.accountId, ...contradictionView(one) })) }
    })
    .post(
      '/audit',
      async function auditBooks({ query: { full } }): Promise<Audit> {
        const result = await audit(sql, auditRules, { nowMs: now(), full: full === 'true', lockWaitMs: auditLockWaitMs })
        if (!result) throw new Failure<Reason>('audit_running')
        return result
      },
      { ...needsRole('support'), query: Type.Object({ full: Type.Optional(Type.Union([Type.Literal('true'), Type.Literal('false')])) }) },
    )
}
