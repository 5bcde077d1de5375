import type { Sql } from '@filmgate/kit/database/postgres'
import { Failure } from '@filmgate/kit/failure'
import { operatorAuth } from '@filmgate/kit/operator/operator-auth'
import type { Operators } from '@filmgate/kit/operator/operators'
import { rfc3339 } from '@filmgate/kit/rfc3339'
import type { Listed } from '@filmgate/proto/operator/answer'
import type { AttemptCost, Costs } from '@filmgate/proto/operator/provider'
import { Elysia } from 'elysia'
import type { Reason } from '../errors'
import { providerNames } from '../providers/outside-providers'
import type { CardCheck } from '../routing/check-cards'
import { findAttemptCosts, type Range, sumCosts } from './cost-repository'
import { attemptCostView, sumsView } from './views'

export type CostRouteDeps = { sql: Sql; operators: Operators; cards: Pick<CardCheck, 'creditMicroUsd'> }

/** A statement reads every attempt of its range. */
const daysMax = 31
const rowsMax = 1_000
const providers: string[] = [...providerNames, 'simulator']

/** What providers charged and what that was for; a longer time is asked for in portions. */
export const costRoutes = ({ sql, operators, cards }: CostRouteDeps) =>
  new Elysia({ name: 'costs', prefix: '/operator/costs', normalize: false })
    .use(operatorAuth(operators))
    .get('/', async function getCosts({ request }): Promise<Costs> {
      const query = queryOf(request)
      const sums = await sumCosts(sql, { ...rangeOf(query), provider: providerOf(query) })
      return { credit_micro_usd: cards.creditMicroUsd(), data: sums.map(sumsView) }
    })
    .get('/attempts', async function getAttemptCosts({ request }): Promise<Listed<AttemptCost>> {
      const query = queryOf(request)
      const provider = providerOf(query) ?? fault('provider is missing')
      const after = matching(query, 'cursor', /^at_[0-9a-f]{1,40}$/) ?? ''
      const rows = await findAttemptCosts(sql, { ...rangeOf(query), provider, after, rowsMax: rowsMax + 1 })
      const shown = rows.slice(0, rowsMax)
      return { data: shown.map(attemptCostView), next_cursor: rows.length > rowsMax ? (shown.at(-1)?.id ?? null) : null }
    })

const queryOf = ({ url }: Request): URLSearchParams => new URL(url).searchParams

function rangeOf(query: URLSearchParams): Range {
  const [from, to] = [momentOf(query, 'from'), momentOf(query, 'to')]
  const days = (to.getTime() - from.getTime()) / 86_400_000
  if (!(days > 0 && days <= daysMax)) fault(`to must be after from, and at most ${daysMax} days`)
  return { from, to }
}

const momentOf = (query: URLSearchParams, name: string): Date =>
  rfc3339(query.get(name) ?? '') ?? fault(`${name} must be a moment like 2026-11-21T08:30:00Z`)

/** A provider that is off has costs too, one that is spelt wrong has none to show. */
function providerOf(query: URLSearchParams): string | undefined {
  const provider = query.get('provider') ?? undefined
  return provider === undefined || providers.includes(provider) ? provider : fault(`provider is none of ${providers.join(', ')}`)
}

function matching(query: URLSearchParams, name: string, form: RegExp): string | undefined {
  const value = query.get(name)
  if (value === null) return undefined
  return form.test(value) ? value : fault(`${name} is none`)
}

function fault(message: string): never {
  throw new Failure<Reason>('invalid_request', { message: `The query has a fault: ${message}.` })
}
