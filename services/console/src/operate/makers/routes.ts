import { act } from '@filmgate/kit/operator/act'
import { listOf } from '@filmgate/proto/operator/answer'
import { CostSums, Maker } from '@filmgate/proto/operator/maker'
import { Elysia } from 'elysia'
import { readForm } from '../../door/read-form'
import { answerPage, seeOther } from '../../layout/answer-page'
import { actPath, noticeOf, shownAct } from '../acts/shown-act'
import { type OperateDeps, operatorOf } from '../door/operator-of'
import { closeMaker } from './close-maker'
import { makersPage } from './page'

const makersPath = '/operate/makers'

/** The dispatcher asks each of them. */
const makersTimeoutMs = 30_000
/** The longest that the dispatcher sums at once is 31 days. */
const daysShown = 30
const dayMs = 86_400_000

export const makers = (deps: OperateDeps) =>
  new Elysia({ normalize: false })
    .use(operatorOf(deps))
    .get(makersPath, async function getMakers({ operator, request, set }) {
      const now = Date.now()
      const query = new URLSearchParams({ from: new Date(now - daysShown * dayMs).toISOString(), to: new Date(now).toISOString() })
      const [makers, costs, last] = await Promise.all([
        deps.services.ask(operator.person, 'dispatcher', { answer: listOf(Maker), path: '/makers', timeoutMs: makersTimeoutMs }),
        deps.services.ask(operator.person, 'dispatcher', { answer: listOf(CostSums), path: `/costs?${query}` }),
        shownAct(deps.sql, request, operator),
      ])
      return answerPage(set, makersPage({ operator, makers, costs, days: daysShown, last, notice: noticeOf(last) }))
    })
    .post(
      `${makersPath}/:maker/close`,
      async function postClose({ operator, request, params: { maker }, set }) {
        return seeOther(set, actPath(makersPath, await closeMaker(deps, operator, await readForm(request), maker)))
      },
      { ...act('support'), parse: 'none' },
    )
