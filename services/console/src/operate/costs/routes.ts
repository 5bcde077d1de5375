import { Costs } from '@filmgate/proto/operator/provider'
import { Elysia } from 'elysia'
import { answerPage } from '../../layout/answer-page'
import { type OperateDeps, requireOperator } from '../access/require-operator'
import { readPeriod } from '../layout/period'
import { costPeriods, costsPage } from './page'

export const costs = (deps: OperateDeps) =>
  new Elysia({ normalize: false })
    .use(requireOperator(deps))
    .get('/operate/costs', async function getCosts({ operator, request: { url }, set }) {
      const account = (new URL(url).searchParams.get('account') ?? '').trim()
      const period = readPeriod(url, costPeriods)
      const query = new URLSearchParams({ from: period.from, to: period.to, ...(account && { account_id: account }) })
      const sums = await deps.services.ask(operator.person, 'dispatcher', { answer: Costs, path: `/costs?${query}` })
      return answerPage(set, costsPage({ operator, account, period, costs: sums }))
    })
