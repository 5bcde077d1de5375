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
import type { Hold as ShownHold } from '@filmgate/proto/operator/provider'
import { type Static, Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Reason } from '../errors'
import type { CardCheck } from '../routing/check-cards'
import type { Routing } from '../routing/routing'
import type { Hold } from './hold'
import { endHoldsOfScope, insertHold } from './hold-repository'
import type { Holds } from './holds'

export type HoldRouteDeps = {
  sql: Sql
  log: Log
  operators: Operators
  routing: Pick<Routing, 'connectorOf'>
  cards: Pick<CardCheck, 'servedBy'>
  holds: Pick<Holds, 'look'>
}

const Scope = Type.Object({ reason: words(500), model: Type.Optional(words(100)) }, { additionalProperties: false })

/** How operators keep new orders from a provider, and let them pass again. */
export const holdRoutes = ({ sql, log, operators, routing, cards, holds }: HoldRouteDeps) => {
  function checkRoute(provider: string, { model }: Static<typeof Scope>): void {
    if (!routing.connectorOf(provider)) throw new Failure<Reason>('provider_not_found')
    if (model !== undefined && !cards.servedBy(provider).some(one => one.model === model)) throw new Failure<Reason>('model_not_served')
  }
  return new Elysia({ name: 'holds', prefix: '/operator/providers', normalize: false })
    .use(operatorAuth(operators))
    .post(
      '/:provider/pause',
      async function postPause({ request, params: { provider } }): Promise<ShownHold> {
        const scope = await readJsonAs(Scope, request)
        const [by, { reason, model = null }] = [operatorName(request), scope]
        checkRoute(provider, scope)
        const hold = await insertHold(sql, { provider, model, cause: 'paused', reason, startedBy: by, keyDigest: null, probeAfterMs: null })
        if (!hold) throw new Failure<Reason>('hold_in_force')
        log.warn({ provider, model, reason, by }, 'new orders paused by an operator')
        await holds.look()
        return holdView(hold)
      },
      needsRole('support', Scope),
    )
    .post(
      '/:provider/resume',
      async function postResume({ request, params: { provider } }): Promise<Listed<ShownHold>> {
        const { reason, model = null } = await readJsonAs(Scope, request)
        const by = operatorName(request)
        const ended = await endHoldsOfScope(sql, { provider, model, by, reason })
        if (ended.length === 0) throw new Failure<Reason>('no_hold')
        log.warn({ provider, model, reason, by, causes: ended.map(({ cause }) => cause) }, 'new orders resumed by an operator')
        await holds.look()
        return { data: ended.map(holdView) }
      },
      needsRole('support', Scope),
    )
}

export const holdView = ({ provider, model, cause, reason, startedBy, startedAt, probeAt, probes }: Hold): ShownHold => ({
  ...{ provider, model, cause, reason, by: startedBy, started_at: startedAt.toISOString() },
  ...{ probe_at: probeAt?.toISOString() ?? null, probes },
})
