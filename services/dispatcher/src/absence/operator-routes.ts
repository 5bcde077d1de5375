import type { Sql } from '@filmgate/kit/database/postgres'
import { Failure } from '@filmgate/kit/failure'
import { needsRole } from '@filmgate/kit/operator/needs-role'
import { operatorAuth } from '@filmgate/kit/operator/operator-auth'
import { operatorName } from '@filmgate/kit/operator/operator-name'
import type { Operators } from '@filmgate/kit/operator/operators'
import { readJsonAs } from '@filmgate/kit/request/read-json'
import { words } from '@filmgate/kit/request/text'
import type { Log } from '@filmgate/kit/telemetry/log'
import type { Listed } from '@filmgate/proto/operator/answer'
import type { Closing, Provider } from '@filmgate/proto/operator/provider'
import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { blockedUntilMs, isOpen } from '../due/breaker'
import { findProviderLimits, type ProviderLimits } from '../due/provider-limits-repository'
import { rateLimitedUntilMs } from '../due/rate'
import type { Reason } from '../errors'
import type { Holds } from '../holds/holds'
import { holdView } from '../holds/operator-routes'
import type { Connector } from '../providers/connector'
import type { CardCheck } from '../routing/check-cards'
import type { Routing } from '../routing/routing'
import { type ClosingRow, findLastClosings, insertClosing } from './closing-repository'
import { missesCount, type ProviderHealth } from './provider-health'
import { countMissing, countRunning } from './provider-health-repository'

export type ProviderRouteDeps = {
  sql: Sql
  log: Log
  routing: Routing
  health: ProviderHealth
  holds: Pick<Holds, 'of'>
  operators: Operators
  cards: Pick<CardCheck, 'servedBy'>
  readTimeoutMs: number
  vanishedWindowMs: number
}

const minutesMax = 1_440
const Close = Type.Object(
  { reason: words(500), minutes: Type.Integer({ minimum: 1, maximum: minutesMax }) },
  { additionalProperties: false },
)

/** What operators see of providers, and how they declare that the misses of one count. */
export const providerRoutes = (deps: ProviderRouteDeps) =>
  new Elysia({ name: 'providers', prefix: '/operator/providers', normalize: false })
    .use(operatorAuth(deps.operators))
    .get('/', async function getProviders(): Promise<Listed<Provider>> {
      const { providers, connectorOf } = deps.routing
      const [closings, limits] = await Promise.all([findLastClosings(deps.sql, providers), findProviderLimits(deps.sql, providers)])
      const data = await Promise.all(
        providers.map(provider => {
          const connector = connectorOf(provider)
          const known = { closing: closings.find(one => one.provider === provider), limits: limits.find(one => one.provider === provider) }
          return connector ? providerView(deps, connector, known) : { provider, on: false }
        }),
      )
      return { data }
    })
    .post(
      '/:provider/close',
      async function postClose({ request, params: { provider } }): Promise<Closing> {
        const { reason, minutes } = await readJsonAs(Close, request)
        const by = operatorName(request)
        if (!deps.routing.connectorOf(provider)) throw new Failure<Reason>('provider_not_found')
        const closing = await insertClosing(deps.sql, { provider, reason, by, minutes })
        deps.log.warn({ provider, reason, by, until: closing.closedUntil }, 'misses of provider declared final by an operator')
        return closingView(closing)
      },
      needsRole('support', Close),
    )

/** As it is now: the provider is asked. `key`: whether it takes ours. `absences`: whether its misses count, `health` why. */
async function providerView(
  deps: ProviderRouteDeps,
  connector: Connector,
  { closing, limits }: { closing: ClosingRow | undefined; limits: ProviderLimits | undefined },
): Promise<Provider> {
  const { sql, cards, readTimeoutMs, vanishedWindowMs } = deps
  const { provider } = connector
  const signal = AbortSignal.timeout(readTimeoutMs)
  const [key, health, running, missing] = await Promise.all([
    connector.checkKey(signal).catch(() => 'unknown' as const),
    deps.health.check(connector, signal),
    countRunning(sql, provider),
    countMissing(sql, provider, vanishedWindowMs),
  ])
  return {
    provider,
    on: true,
    key,
    absences: health === undefined ? 'unknown' : missesCount(health.state) ? 'counted' : 'held',
    health: health?.state ?? 'unknown',
    running,
    missing,
    asking: limits ? limitsView(limits) : null,
    closing: closing ? closingView(closing) : null,
    holds: deps.holds.of(connector).map(holdView),
    models: cards.servedBy(provider),
    capabilities: capabilitiesView(connector),
  }
}

/** `breaker` is open where calls in a row got no answer: one attempt at a time is polled. `waiting_ms`: until the next poll may begin. */
function limitsView({ nowMs, nextStartMs, pausedUntilMs, ...breaker }: ProviderLimits) {
  const limitedUntilMs = rateLimitedUntilMs({ pausedUntilMs, nowMs })
  const heldUntilMs = Math.max(pausedUntilMs, blockedUntilMs(breaker))
  return {
    breaker: isOpen(breaker) ? 'open' : 'closed',
    unanswered_calls: breaker.unanswered,
    held_until: heldUntilMs > nowMs ? new Date(heldUntilMs).toISOString() : null,
    rate_limited_until: limitedUntilMs === undefined ? null : new Date(limitedUntilMs).toISOString(),
    waiting_ms: Math.round(Math.max(0, nextStartMs - nowMs, heldUntilMs - nowMs)),
  }
}

/** What heals and what ends an attempt there: without a look-up and a signed callback a lost answer waits for a person. */
const capabilitiesView = ({ capabilities }: Connector) => ({
  own_id: capabilities.ownId,
  carries_own_id: capabilities.carriesOwnId,
  look_up: capabilities.lookUp,
  visibility_ms: capabilities.visibilityMs,
  generation_ms_max: capabilities.generationMsMax,
  callback: capabilities.callback,
  cancel: capabilities.cancel,
  billed_on_failure: capabilities.billedOnFailure,
  result_expiry_ms: capabilities.resultExpiryMs ?? null,
  output_expiry_ms: capabilities.outputExpiryMs ?? null,
})

const closingView = ({ provider, reason, by, closedAt, closedUntil, inForce }: ClosingRow): Closing => ({
  provider,
  reason,
  by,
  closed_at: closedAt.toISOString(),
  closed_until: closedUntil.toISOString(),
  in_force: inForce,
})
