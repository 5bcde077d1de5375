import { needsRole } from '@filmgate/kit/operator/needs-role'
import { AwaitedChange } from '@filmgate/proto/operator/account'
import { listOf } from '@filmgate/proto/operator/answer'
import { Elysia } from 'elysia'
import { readForm } from '../../http/read-form'
import { answerPage, seeOther } from '../../layout/answer-page'
import { type OperateDeps, requireOperator } from '../access/require-operator'
import { actionNotice, actionPath, findShownAction } from '../actions/shown-action'
import { approveChange } from './approve'
import { changesPage } from './page'

const changesPath = '/operate/credit-changes'

/** Grants and debits that need a second approver. */
export const changes = (deps: OperateDeps) =>
  new Elysia({ normalize: false })
    .use(requireOperator(deps))
    .get(changesPath, async function getChanges({ operator, request, set }) {
      const [changes, last] = await Promise.all([
        deps.services.ask(operator.person, 'gateway', { answer: listOf(AwaitedChange), path: '/credit-changes' }),
        findShownAction(deps.sql, request, operator),
      ])
      return answerPage(set, changesPage({ operator, changes, last, notice: actionNotice(last) }))
    })
    .post(
      `${changesPath}/:id/approve`,
      async function postApproval({ operator, request, params: { id }, set }) {
        return seeOther(set, actionPath(changesPath, await approveChange(deps, operator, await readForm(request), id)))
      },
      { ...needsRole('money'), parse: 'none' },
    )
