import type { Sql } from '@filmgate/kit/database/postgres'
import type { Log } from '@filmgate/kit/telemetry/log'
import type { PlannedAttempt } from '../attempt/plan-attempts'
import type { Connector, SubmitOutcome } from '../providers/connector'
import type { RouteState } from '../routing/live-routing'
import {
  certainPerUnknown,
  endedByProbe,
  type Hold,
  type HoldCause,
  holdsOfProvider,
  holdsOfRoute,
  type ProbePauses,
  routeState,
} from './hold'
import { claimProbes, endHoldsOfRoute, findHolds, insertHold } from './hold-repository'
import { createFindSilent, findUnanswering } from './undecided'

export type HoldsDeps = {
  sql: Sql
  log: Pick<Log, 'error' | 'info' | 'warn'>
  /** False: only operators hold routes. */
  submitHolds: boolean
  /** So many unknown outcomes within the window hold a provider. */
  unknownMax: number
  windowMs: number
  /** So many submits that are unknown, or wait for their answer for longer than `slowMs`, do so too. */
  undecidedMax: number
  slowMs: number
  unansweredProbes: ProbePauses
  accountProbes: ProbePauses
}

export type Holds = {
  /** Reads them again; `changed` is called where they, or what is due of them, are other ones. */
  look(): Promise<void>
  /** False until they were read once. */
  known(): boolean
  /** Whether orders of a model may go to a provider. */
  stateOf(connector: Connector, model: string): RouteState
  /** Of a provider, with those of single models. */
  of(connector: Pick<Connector, 'provider' | 'keyDigest'>): Hold[]
  /** Which of these attempts must not be sent to their provider now: it has too much that is undecided, or another order is its probe. */
  turnedAway(planned: PlannedAttempt[]): Promise<ReadonlySet<string>>
  /** What became of a submit, once that is written. Never rejects. */
  report(planned: PlannedAttempt, outcome: SubmitOutcome): Promise<void>
  onChange(changed: () => void): void
}

const accountReasons = {
  key_refused: 'the provider refused our key',
  no_balance: 'the provider says that our account has no balance or is locked',
}

export function createHolds(deps: HoldsDeps): Holds {
  const { sql, log } = deps
  let inForce: Hold[] | undefined
  let changed = () => {}
  const findSilent = createFindSilent(deps)

  const stateOf = (connector: Connector, model: string) => routeState(holdsOfRoute(inForce ?? [], connector, model))

  async function look(): Promise<void> {
    const before = JSON.stringify(inForce)
    inForce = await findHolds(sql)
    if (JSON.stringify(inForce) !== before) changed()
  }

  async function start(connector: Connector, cause: Exclude<HoldCause, 'paused'>, reason: string): Promise<void> {
    const { provider, keyDigest } = connector
    const ofKey = cause === 'key_refused' ? (keyDigest ?? null) : null
    const probeAfterMs = (cause === 'unanswered' ? deps.unansweredProbes : deps.accountProbes).firstMs
    const started = await insertHold(sql, { provider, model: null, cause, reason, startedBy: null, keyDigest: ofKey, probeAfterMs })
    if (started) log.error({ provider, cause, reason }, 'new orders held for provider')
    await look()
  }

  async function end(provider: string, model: string, causes: readonly HoldCause[], reason: string): Promise<void> {
    const ended = await endHoldsOfRoute(sql, { provider, model, causes, by: null, reason })
    for (const { cause } of ended) log.info({ provider, cause, reason }, 'new orders no longer held for provider')
    if (ended.length > 0) await look()
  }

  /** Holds a provider that lost too many of our submits. */
  async function holdForUnknown(connector: Connector): Promise<void> {
    const { unknownMax, windowMs } = deps
    const bounds = { undecidedMax: unknownMax, certainMax: certainPerUnknown * unknownMax, windowMs, slowMs: null }
    const found = await findUnanswering(sql, [connector.provider], bounds)
    if (found.size > 0) await start(connector, 'unanswered', `${unknownMax} submits without a certain answer`)
  }

  /** Holds providers that fall silent; returns them. */
  async function holdSilent(connectors: Connector[]): Promise<Set<string>> {
    const silent = await findSilent(connectors.map(({ provider }) => provider))
    const reason = `${deps.undecidedMax} submits unanswered or without a certain answer`
    for (const connector of connectors.filter(({ provider }) => silent.has(provider))) await start(connector, 'unanswered', reason)
    return silent
  }

  async function claim(probing: PlannedAttempt[]): Promise<Set<string>> {
    if (probing.length === 0) return new Set()
    const unclaimed = await claimFirsts(deps, inForce ?? [], probing)
    await look()
    return unclaimed
  }

  async function judge(planned: PlannedAttempt, outcome: SubmitOutcome): Promise<void> {
    const { provider, model } = planned.attempt
    const { probe = false } = planned
    const connector = connectorOf(planned)
    if (outcome.outcome === 'accepted') {
      if (probe) await end(provider, model, endedByProbe.accepted, 'a probe was accepted')
      else if ((inForce ?? []).some(hold => isOfAnotherKey(hold, connector)))
        await end(provider, model, ['key_refused'], 'another key was accepted')
      return
    }
    if (outcome.outcome === 'refused' && probe && !outcome.unsent)
      await end(provider, model, endedByProbe[outcome.code], 'a probe was answered')
    if (!deps.submitHolds) return
    if (outcome.outcome === 'unknown') await holdForUnknown(connector)
    else if (outcome.account) await start(connector, outcome.account, `${accountReasons[outcome.account]}: ${outcome.cause}`)
  }

  return {
    look,
    known: () => inForce !== undefined,
    stateOf,
    of: connector => holdsOfProvider(inForce ?? [], connector),
    async turnedAway(planned) {
      if (inForce === undefined) await look()
      const plain = planned.filter(({ probe }) => !probe)
      const connectors = deps.submitHolds ? [...new Set(plain.map(connectorOf))] : []
      const [held, unclaimed] = await Promise.all([
        connectors.length > 0 ? holdSilent(connectors) : new Set<string>(),
        claim(planned.filter(({ probe }) => probe)),
      ])
      // Of what was planned before the holds were known, too.
      const isHeld = (one: PlannedAttempt) => held.has(one.attempt.provider) || stateOf(connectorOf(one), one.attempt.model) !== 'open'
      return new Set([...plain.filter(isHeld).map(({ attempt }) => attempt.id), ...unclaimed])
    },
    report: (planned, outcome) =>
      judge(planned, outcome).catch(error =>
        log.warn({ err: error, provider: planned.attempt.provider }, 'submit result not counted for the provider’s holds'),
      ),
    onChange(listener) {
      changed = listener
    },
  }
}

const isOfAnotherKey = ({ provider, cause, keyDigest }: Hold, connector: Connector): boolean =>
  provider === connector.provider && cause === 'key_refused' && keyDigest !== (connector.keyDigest ?? null)

const connectorOf = ({ routes: [{ connector }] }: PlannedAttempt): Connector => connector

/** Returns the attempts that don't get their probe: one order of a batch may try. */
async function claimFirsts({ sql, ...deps }: HoldsDeps, inForce: Hold[], probing: PlannedAttempt[]): Promise<Set<string>> {
  const firsts = [...Map.groupBy(probing, ({ attempt }) => attempt.provider).values()].flatMap(([first]) => first ?? [])
  const claims = firsts.flatMap(one =>
    holdsOfRoute(inForce, connectorOf(one), one.attempt.model).map(({ id: hold }) => ({ attempt: one.attempt.id, hold })),
  )
  const refused = await claimProbes(sql, claims, { unanswered: deps.unansweredProbes, account: deps.accountProbes })
  const trying = new Set(firsts.map(({ attempt }) => attempt.id).filter(id => !refused.has(id)))
  return new Set(probing.map(({ attempt }) => attempt.id).filter(id => !trying.has(id)))
}
