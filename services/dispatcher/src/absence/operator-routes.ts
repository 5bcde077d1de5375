import type { Sql } from '@filmgate/kit/database/postgres'
import { Failure } from '@filmgate/kit/failure'
import { act } from '@filmgate/kit/operator/act'
import { operatorDoor } from '@filmgate/kit/operator/operator-door'
import { operatorName } from '@filmgate/kit/operator/operator-name'
import type { Operators } from '@filmgate/kit/operator/operators'
import { readJsonAs } from '@filmgate/kit/request/read-json'
import { words } from '@filmgate/kit/request/text'
import type { Log } from '@filmgate/kit/telemetry/log'
import type { Listed } from '@filmgate/proto/operator/answer'
import type { Closing, Maker } from '@filmgate/proto/operator/maker'
import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { findPaces, type PaceRow } from '../due/pace-repository'
import type { Reason } from '../errors'
import type { Connector } from '../makers/connector'
import type { CardCheck } from '../routing/check-cards'
import type { Routing } from '../routing/routing'
import { type ClosingRow, findLastClosings, insertClosing } from './closing-repository'
import { countRunning, countVanished } from './control-repository'
import { type Controls, counts } from './controls'

export type MakerRouteDeps = {
  sql: Sql
  log: Log
  routing: Routing
  controls: Controls
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

/** What operators see of makers, and how they declare that what one doesn't know of our attempts is to be believed. */
export const makerRoutes = (deps: MakerRouteDeps) =>
  new Elysia({ name: 'makers', prefix: '/operator/makers', normalize: false })
    .use(operatorDoor(deps.operators))
    .get('/', async function getMakers(): Promise<Listed<Maker>> {
      const { makers, connectorOf } = deps.routing
      const [closings, paces] = await Promise.all([findLastClosings(deps.sql, makers), findPaces(deps.sql, makers)])
      const data = await Promise.all(
        makers.map(maker => {
          const connector = connectorOf(maker)
          const known = { closing: closings.find(one => one.maker === maker), pace: paces.find(one => one.maker === maker) }
          return connector ? makerView(deps, connector, known) : { maker, on: false }
        }),
      )
      return { data }
    })
    .post(
      '/:maker/close',
      async function postClose({ request, params: { maker } }): Promise<Closing> {
        const { reason, minutes } = await readJsonAs(Close, request)
        const by = operatorName(request)
        if (!deps.routing.connectorOf(maker)) throw new Failure<Reason>('maker_not_found')
        const closing = await insertClosing(deps.sql, { maker, reason, by, minutes })
        deps.log.warn({ maker, reason, by, until: closing.closedUntil }, 'an operator says that what this maker doesn’t know of is nothing')
        return closingView(closing)
      },
      act('support', Close),
    )

/** As it is now: the maker is asked. */
async function makerView(
  deps: MakerRouteDeps,
  connector: Connector,
  { closing, pace }: { closing: ClosingRow | undefined; pace: PaceRow | undefined },
): Promise<Maker> {
  const { sql, controls, cards, readTimeoutMs, vanishedWindowMs } = deps
  const { maker } = connector
  const signal = AbortSignal.timeout(readTimeoutMs)
  const [key, seen, running, missing] = await Promise.all([
    connector.checkKey(signal).catch(() => 'unknown' as const),
    controls.ask(connector, signal),
    countRunning(sql, maker),
    countVanished(sql, maker, vanishedWindowMs),
  ])
  return {
    maker,
    on: true,
    key,
    absences: seen === undefined ? 'unknown' : counts(seen.control) ? 'counted' : 'held',
    shows: seen?.control ?? 'unknown',
    running,
    missing,
    asking: pace ? paceView(pace) : null,
    closing: closing ? closingView(closing) : null,
    models: cards.servedBy(maker),
    capabilities: capabilitiesView(connector),
  }
}

const paceView = ({ isOpen, silent, heldUntil, waitingMs }: PaceRow) => ({
  breaker: isOpen ? 'open' : 'closed',
  unanswered_calls: silent,
  held_until: heldUntil?.toISOString() ?? null,
  waiting_ms: Math.round(waitingMs),
})

/** What heals and what ends an attempt there: without a look-up and a signed callback a lost answer waits for a person. */
const capabilitiesView = ({ capabilities }: Connector) => ({
  own_id: capabilities.ownId,
  carries_own_id: capabilities.carriesOwnId,
  look_up: capabilities.lookUp,
  visibility_ms: capabilities.visibilityMs,
  callback: capabilities.callback,
  cancel: capabilities.cancel,
  billed_on_failure: capabilities.billedOnFailure,
  result_expiry_ms: capabilities.resultExpiryMs ?? null,
  output_expiry_ms: capabilities.outputExpiryMs ?? null,
})

const closingView = ({ maker, reason, by, closedAt, closedUntil, inForce }: ClosingRow): Closing => ({
  maker,
  reason,
  by,
  closed_at: closedAt.toISOString(),
  closed_until: closedUntil.toISOString(),
  in_force: inForce,
})
