import { act } from '@filmgate/kit/operator/act'
import { Elysia } from 'elysia'
import { readForm } from '../../door/read-form'
import { answerPage, seeOther } from '../../layout/answer-page'
import { actPath, noticeOf, shownAct } from '../acts/shown-act'
import { type OperateDeps, operatorOf } from '../door/operator-of'
import type { CostSums, Listed, Provider } from '../services/views'
import { closeProvider } from './close-provider'
import { providersPage } from './page'

const providersPath = '/operate/providers'

/** The dispatcher asks each of them. */
const providersTimeoutMs = 30_000
/** The longest that the dispatcher sums at once is 31 days. */
const daysShown = 30
const dayMs = 86_400_000

export const providers = (deps: OperateDeps) =>
  new Elysia({ normalize: false })
    .use(operatorOf(deps))
    .get(providersPath, async function getProviders({ operator, request, set }) {
      const now = Date.now()
      const query = new URLSearchParams({ from: new Date(now - daysShown * dayMs).toISOString(), to: new Date(now).toISOString() })
      const [providers, costs, last] = await Promise.all([
        deps.services.ask<Listed<Provider>>(operator.person, 'dispatcher', { path: '/providers', timeoutMs: providersTimeoutMs }),
        deps.services.ask<Listed<CostSums>>(operator.person, 'dispatcher', { path: `/costs?${query}` }),
        shownAct(deps.sql, request, operator),
      ])
      return answerPage(set, providersPage({ operator, providers, costs, days: daysShown, last, notice: noticeOf(last) }))
    })
    .post(
      `${providersPath}/:provider/close`,
      async function postClose({ operator, request, params: { provider }, set }) {
        return seeOther(set, actPath(providersPath, await closeProvider(deps, operator, await readForm(request), provider)))
      },
      { ...act('support'), parse: 'none' },
    )
