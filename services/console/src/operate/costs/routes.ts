import { Costs } from '@filmgate/proto/operator/provider'
import { Elysia } from 'elysia'
import { answerPage } from '../../layout/answer-page'
import { type OperateDeps, requireOperator } from '../access/require-operator'
import { type PeriodChoices, readPeriod } from '../layout/period'
import { costsPage } from './page'

/** The dispatcher sums at most 31 days at once. */
const periods: PeriodChoices = [720, 168, 24]

export const costs = (deps: OperateDeps) =>
  new Elysia({ normalize: false })
    .use(requireOperator(deps))
    .get('/operate/costs', async function getCosts({ operator, request: { url }, set }) {
      const account = (new URL(url).searchParams.get('account') ?? '').trim()
      const period = readPeriod(url, periods)
      const query = new URLSearchParams({ from: period.from, to: period.to, ...(account && { account_id: account }) })
      const sums = await deps.services.ask(operator.person, 'dispatcher', { answer: Costs, path: `/costs?${query}` })
      return answerPage(set, costsPage({ operator, account, periods, period, costs: sums }))
    })
