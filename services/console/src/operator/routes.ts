import type { Sql } from '@filmgate/kit/database/postgres'
import type { Secrets } from '@filmgate/kit/environment/secrets'
import { Failure } from '@filmgate/kit/failure'
import { logOperatorCalls } from '@filmgate/kit/operator/log-operator-calls'
import { needsRole } from '@filmgate/kit/operator/needs-role'
import { By, operatorName } from '@filmgate/kit/operator/operator-name'
import { RenewBody } from '@filmgate/kit/operator/renew-body'
import { readJsonAs } from '@filmgate/kit/request/read-json'
import { words } from '@filmgate/kit/request/text'
import type { Log } from '@filmgate/kit/telemetry/log'
import type { RenewedPortion } from '@filmgate/proto/operator/secret'
import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { readPeriod } from '../billing/reconciliation/read-period'
import { reconciliationView } from '../billing/reconciliation/reconciliation-view'
import { requestReconciliation } from '../billing/reconciliation/request-reconciliation'
import { findReconciliation, listReconciliations } from '../billing/reconciliation/run-repository'
import type { StripeApi } from '../billing/stripe/stripe-api'
import type { Reason } from '../errors'
import { findCrossAudit, listCrossAudits } from '../operate/cross-audit/cross-audit-repository'
import { crossAuditView } from '../operate/cross-audit/cross-audit-view'
import { readCrossAuditPeriod } from '../operate/cross-audit/read-cross-audit-period'
import { requestCrossAudit } from '../operate/cross-audit/request-cross-audit'
import { renewSecrets } from '../secrets/renew-secrets'
import type { FindOperator } from './find-operator'
import { requireOperatorToken } from './require-operator-token'

export type OperatorDeps = {
  sql: Sql
  log: Log
  authSecrets: Secrets
  findOperator: FindOperator
  /** Undefined if buying is off. */
  stripe: Pick<StripeApi, 'livemode'> | undefined
  /** Undefined if no operator is configured: then the services can't be read. */
  operate?: object | undefined
  now(): Date
}

const listedMax = 20
const time = Type.String({ maxLength: 40 })
const ReconciliationBody = Type.Object(
  { from: time, to: Type.Optional(time), dry_run: Type.Optional(Type.Boolean()), reason: words(500), by: By },
  { additionalProperties: false },
)

const CrossAuditBody = Type.Object(
  { since: Type.Optional(time), grace_seconds: Type.Optional(Type.Integer({ minimum: 5, maximum: 86_400 })), by: By },
  { additionalProperties: false },
)

/** The API for `ops`; no Ingress publishes it. People use the pages below /operate. */
export const operator = (deps: OperatorDeps) =>
  new Elysia({ name: 'operator', prefix: '/operator', normalize: false })
    .use(logOperatorCalls(deps.log))
    .use(requireOperatorToken(deps.findOperator))
    .use(reconciliationRoutes(deps))
    .use(crossAuditRoutes(deps))
    .use(secretRoutes(deps))

const reconciliationRoutes = ({ sql, stripe, now }: OperatorDeps) =>
  new Elysia({ normalize: false })
    .get('/payments/reconciliations', async function getReconciliations() {
      return { data: (await listReconciliations(sql, listedMax)).map(reconciliationView) }
    })
    .get('/payments/reconciliations/:id', async function getReconciliation({ params: { id } }) {
      const run = await findReconciliation(sql, id)
      if (!run) throw new Failure<Reason>('not_found', { message: 'There is no such reconciliation.' })
      return reconciliationView(run)
    })
    .post(
      '/payments/reconciliations',
      async function postReconciliation({ request, set }) {
        const { from, to, dry_run: dryRun = false, reason, by } = await readJsonAs(ReconciliationBody, request)
        const requestedBy = operatorName(request, by)
        if (!stripe) throw new Failure<Reason>('not_found', { message: 'Buying is off, so there is nothing to reconcile.' })
        const period = readPeriod({ from, to }, now())
        const run = await requestReconciliation(sql, { ...period, dryRun, livemode: stripe.livemode, requestedBy, reason })
        if (!run) throw new Failure<Reason>('reconciliation_running')
        set.status = 202
        return reconciliationView(run)
      },
      needsRole('support', ReconciliationBody),
    )

const crossAuditRoutes = ({ sql, operate, now }: OperatorDeps) =>
  new Elysia({ normalize: false })
    .get('/cross-audits', async function getCrossAudits() {
      return { data: (await listCrossAudits(sql, listedMax)).map(crossAuditView) }
    })
    .get('/cross-audits/:id', async function getCrossAudit({ params: { id } }) {
      const run = await findCrossAudit(sql, id)
      if (!run) throw new Failure<Reason>('not_found', { message: 'There is no such cross-audit.' })
      return crossAuditView(run)
    })
    .post(
      '/cross-audits',
      async function postCrossAudit({ request, set }) {
        const { since, grace_seconds, by } = await readJsonAs(CrossAuditBody, request)
        const requestedBy = operatorName(request, by)
        if (!operate) throw new Failure<Reason>('not_found', { message: 'No operator is configured, so the services can’t be read.' })
        const period = readCrossAuditPeriod({ since, graceSeconds: grace_seconds }, now())
        const run = await requestCrossAudit(sql, { requestedBy, ...period, createdAt: now() })
        if (!run) throw new Failure<Reason>('cross_audit_running')
        set.status = 202
        return crossAuditView(run)
      },
      needsRole('support', CrossAuditBody),
    )

const secretRoutes = (deps: OperatorDeps) =>
  new Elysia({ normalize: false }).post(
    '/secrets/renew',
    async function postRenewal({ request }): Promise<RenewedPortion> {
      operatorName(request)
      const { after = '' } = await readJsonAs(RenewBody, request)
      return renewSecrets(deps, after)
    },
    needsRole('support', RenewBody),
  )
