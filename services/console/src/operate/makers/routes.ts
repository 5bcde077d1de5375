import { Elysia } from 'elysia'
import { answerPage } from '../../layout/answer-page'
import { type OperateDeps, operatorOf } from '../door/operator-of'
import type { CostSums, Listed, Maker } from '../services/views'
import { makersPage } from './page'

/** The dispatcher asks each of them. */
const makersTimeoutMs = 30_000
/** The longest that the dispatcher sums at once is 31 days. */
const daysShown = 30
const dayMs = 86_400_000

export const makers = (deps: OperateDeps) =>
  new Elysia({ normalize: false }).use(operatorOf(deps)).get('/operate/makers', async function getMakers({ operator, set }) {
    const now = Date.now()
    const query = new URLSearchParams({ from: new Date(now - daysShown * dayMs).toISOString(), to: new Date(now).toISOString() })
    const [makers, costs] = await Promise.all([
      deps.services.ask<Listed<Maker>>(operator.person, 'dispatcher', { path: '/makers', timeoutMs: makersTimeoutMs }),
      deps.services.ask<Listed<CostSums>>(operator.person, 'dispatcher', { path: `/costs?${query}` }),
    ])
    return answerPage(set, makersPage({ operator, makers, costs, days: daysShown }))
  })
