import { act } from '@filmgate/kit/operator/act'
import { Elysia } from 'elysia'
import { readForm } from '../../http/read-form'
import { answerPage, seeOther } from '../../layout/answer-page'
import { type OperateDeps, requireOperator } from '../access/require-operator'
import { actionNotice, actionPath, findShownAction } from '../actions/shown-action'
import type { CostSums, Listed, Maker } from '../services/views'
import { closeMaker } from './close-maker'
import { makersPage } from './page'

const makersPath = '/operate/makers'

/** The dispatcher asks each provider. */
const makersTimeoutMs = 30_000
/** The dispatcher sums at most 31 days at once. */
const daysShown = 30
const dayMs = 86_400_000

export const makers = (deps: OperateDeps) =>
  new Elysia({ normalize: false })
    .use(requireOperator(deps))
    .get(makersPath, async function getMakers({ operator, request, set }) {
      const now = Date.now()
      const query = new URLSearchParams({ from: new Date(now - daysShown * dayMs).toISOString(), to: new Date(now).toISOString() })
      const [makers, costs, last] = await Promise.all([
        deps.services.ask<Listed<Maker>>(operator.person, 'dispatcher', { path: '/makers', timeoutMs: makersTimeoutMs }),
        deps.services.ask<Listed<CostSums>>(operator.person, 'dispatcher', { path: `/costs?${query}` }),
        findShownAction(deps.sql, request, operator),
      ])
      return answerPage(set, makersPage({ operator, makers, costs, days: daysShown, last, notice: actionNotice(last) }))
    })
    .post(
      `${makersPath}/:maker/close`,
      async function postClose({ operator, request, params: { maker }, set }) {
        return seeOther(set, actionPath(makersPath, await closeMaker(deps, operator, await readForm(request), maker)))
      },
      { ...act('support'), parse: 'none' },
    )
