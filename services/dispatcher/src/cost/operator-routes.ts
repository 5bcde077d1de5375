import type { Sql } from '@filmgate/kit/database/postgres'
import { operatorAuth } from '@filmgate/kit/operator/operator-auth'
import type { Operators } from '@filmgate/kit/operator/operators'
import type { Listed } from '@filmgate/proto/operator/answer'
import type { AttemptCost, Costs } from '@filmgate/proto/operator/provider'
import { Elysia } from 'elysia'
import type { CardCheck } from '../routing/check-cards'
import { findAttemptCosts, sumCosts } from './cost-repository'
import { pageOf, queryFault, queryOf, readCursor, readMatching, readProvider, readRange } from './range'
import { attemptCostView, sumsView } from './views'

export type CostRouteDeps = { sql: Sql; operators: Operators; cards: Pick<CardCheck, 'creditMicroUsd'> }

const rowsMax = 1_000

/** What providers charged and what that was for; a longer time is asked for in portions. */
export const costRoutes = ({ sql, operators, cards }: CostRouteDeps) =>
  new Elysia({ name: 'costs', prefix: '/operator/costs', normalize: false })
    .use(operatorAuth(operators))
    .get('/', async function getCosts({ request }): Promise<Costs> {
      const query = queryOf(request)
      const accountId = readMatching(query, 'account_id', /^[\w-]{1,120}$/)
      const sums = await sumCosts(sql, { ...readRange(query), provider: readProvider(query), accountId })
      return { credit_micro_usd: cards.creditMicroUsd(), data: sums.map(sumsView) }
    })
    .get('/attempts', async function getAttemptCosts({ request }): Promise<Listed<AttemptCost>> {
      const query = queryOf(request)
      const provider = readProvider(query) ?? queryFault('provider is missing')
      const after = readCursor(query) ?? ''
      const rows = await findAttemptCosts(sql, { ...readRange(query), provider, after, rowsMax: rowsMax + 1 })
      return pageOf(rows, rowsMax, attemptCostView)
    })
