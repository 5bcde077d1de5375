import type { Sql } from '@filmgate/kit/database/postgres'
import { Failure } from '@filmgate/kit/failure'
import { act } from '@filmgate/kit/operator/act'
import { logActs } from '@filmgate/kit/operator/log-acts'
import { By, operatorName } from '@filmgate/kit/operator/operator-name'
import { readJsonAs } from '@filmgate/kit/request/read-json'
import { words } from '@filmgate/kit/request/text'
import type { Log } from '@filmgate/kit/telemetry/log'
import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { readPeriod } from '../billing/reconciliation/read-period'
import { reconciliationView } from '../billing/reconciliation/reconciliation-view'
import { requestReconciliation } from '../billing/reconciliation/request-reconciliation'
import { findReconciliation, listReconciliations } from '../billing/reconciliation/run-repository'
import type { StripeApi } from '../billing/stripe/stripe-api'
import type { Reason } from '../errors'
import type { FindOperator } from './find-operator'
import { requireOperatorToken } from './require-operator-token'

export type OperatorDeps = {
  sql: Sql
  log: Log
  findOperator: FindOperator
  /** Undefined if buying is off. */
  stripe: Pick<StripeApi, 'livemode'> | undefined
  now(): Date
}

const listedMax = 20
const time = Type.String({ maxLength: 40 })
const ReconciliationBody = Type.Object(
  { from: time, to: Type.Optional(time), dry_run: Type.Optional(Type.Boolean()), reason: words(500), by: By },
  { additionalProperties: false },
)

/** The API for `ops`; no Ingress publishes it. People use the pages below /operate. */
export const operator = ({ sql, log, findOperator, stripe, now }: OperatorDeps) =>
  new Elysia({ name: 'operator', prefix: '/operator', normalize: false })
    .use(logActs(log))
    .use(requireOperatorToken(findOperator))
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
      act('support', ReconciliationBody),
    )
