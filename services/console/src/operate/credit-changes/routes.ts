import { act } from '@filmgate/kit/operator/act'
import { AwaitedChange } from '@filmgate/proto/operator/account'
import { listOf } from '@filmgate/proto/operator/answer'
import { Elysia } from 'elysia'
import { readForm } from '../../door/read-form'
import { answerPage, seeOther } from '../../layout/answer-page'
import { actPath, noticeOf, shownAct } from '../acts/shown-act'
import { type OperateDeps, operatorOf } from '../door/operator-of'
import { approveChange } from './approve'
import { changesPage } from './page'

const changesPath = '/operate/credit-changes'

/** Grants and debits above what one operator may move. */
export const changes = (deps: OperateDeps) =>
  new Elysia({ normalize: false })
    .use(operatorOf(deps))
    .get(changesPath, async function getChanges({ operator, request, set }) {
      const [changes, last] = await Promise.all([
        deps.services.ask(operator.person, 'gateway', { answer: listOf(AwaitedChange), path: '/credit-changes' }),
        shownAct(deps.sql, request, operator),
      ])
      return answerPage(set, changesPage({ operator, changes, last, notice: noticeOf(last) }))
    })
    .post(
      `${changesPath}/:id/approve`,
      async function postApproval({ operator, request, params: { id }, set }) {
        return seeOther(set, actPath(changesPath, await approveChange(deps, operator, await readForm(request), id)))
      },
      { ...act('money'), parse: 'none' },
    )
