import { needsRole } from '@filmgate/kit/operator/needs-role'
import { listOf } from '@filmgate/proto/operator/answer'
import { AuditRun, Contradiction } from '@filmgate/proto/operator/books'
import { Elysia } from 'elysia'
import { findLastSalesAudit } from '../../billing/audit/audit-repository'
import { listReconciliations } from '../../billing/reconciliation/run-repository'
import { readForm } from '../../http/read-form'
import { answerPage, seeOther } from '../../layout/answer-page'
import { type OperateDeps, requireOperator } from '../access/require-operator'
import { actionNotice, actionPath, findShownAction } from '../actions/shown-action'
import { listCrossAudits } from '../cross-audit/cross-audit-repository'
import { acknowledge } from './acknowledge'
import { auditBooks } from './audit-books'
import { auditPage } from './page'
import { reconcile } from './reconcile'

const auditPath = '/operate/audit'
const runsShown = 5

export const audit = (deps: OperateDeps) =>
  new Elysia({ normalize: false })
    .use(requireOperator(deps))
    .get(auditPath, async function getAudit({ operator, request, set }) {
      const [runs, contradictions, sales, reconciled, crossed, last] = await Promise.all([
        deps.services.ask(operator.person, 'ledger', { answer: listOf(AuditRun), path: '/audits?limit=10' }),
        deps.services.ask(operator.person, 'ledger', { answer: listOf(Contradiction), path: '/contradictions' }),
        findLastSalesAudit(deps.sql),
        listReconciliations(deps.sql, runsShown),
        listCrossAudits(deps.sql, runsShown),
        findShownAction(deps.sql, request, operator),
      ])
      return answerPage(set, auditPage({ operator, runs, contradictions, sales, reconciled, crossed, last, notice: actionNotice(last) }))
    })
    .post(
      `${auditPath}/runs`,
      async function postRun({ operator, request, set }) {
        return seeOther(set, actionPath(auditPath, await auditBooks(deps, operator, await readForm(request))))
      },
      { ...needsRole('support'), parse: 'none' },
    )
    .post(
      `${auditPath}/reconciliations`,
      async function postReconciliation({ operator, request, set }) {
        return seeOther(set, actionPath(auditPath, await reconcile(deps, operator, await readForm(request))))
      },
      { ...needsRole('support'), parse: 'none' },
    )
    .post(
      `${auditPath}/contradictions/:id/acknowledge`,
      async function postAcknowledgement({ operator, request, params: { id }, set }) {
        return seeOther(set, actionPath(auditPath, await acknowledge(deps, operator, await readForm(request), id)))
      },
      { ...needsRole('money'), parse: 'none' },
    )
