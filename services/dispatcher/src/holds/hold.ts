import type { Connector, RefusalCode } from '../providers/connector'
import type { RouteState } from '../routing/live-routing'

/**
 * Holds keep new orders from a provider; polls, look-ups and copies go on. All dispatchers share them (rows of route_hold).
 *
 * `paused`: by an operator. `unanswered`: too many submits got no certain answer. `key_refused`, `no_balance`: the provider
 * said so. While one of the last three is in force, one order at a time tries the provider as a probe.
 */
export const holdCauses = ['paused', 'unanswered', 'key_refused', 'no_balance'] as const
export type HoldCause = (typeof holdCauses)[number]

/** `model`: null for all models of the provider. `probeDue`: an order may try the provider now. */
export type Hold = {
  id: string
  provider: string
  model: string | null
  cause: HoldCause
  reason: string
  startedBy: string | null
  startedAt: Date
  keyDigest: string | null
  probeAt: Date | null
  probes: number
  probeDue: boolean
}

/** A key that was refused holds nothing once another key is in its place. */
const appliesTo = (hold: Hold, { provider, keyDigest }: Pick<Connector, 'provider' | 'keyDigest'>): boolean =>
  hold.provider === provider && (hold.cause !== 'key_refused' || hold.keyDigest === (keyDigest ?? null))

/** The holds of a provider, with those of single models. */
export const holdsOfProvider = (holds: Hold[], connector: Pick<Connector, 'provider' | 'keyDigest'>): Hold[] =>
  holds.filter(hold => appliesTo(hold, connector))

export const holdsOfRoute = (holds: Hold[], connector: Pick<Connector, 'provider' | 'keyDigest'>, model: string): Hold[] =>
  holdsOfProvider(holds, connector).filter(hold => hold.model === null || hold.model === model)

/** `probe`: each of its holds lets one order try. */
export function routeState(holds: Hold[]): RouteState {
  if (holds.length === 0) return 'open'
  return holds.every(({ probeDue }) => probeDue) ? 'probe' : 'held'
}

/** Submits of a provider without a certain answer, and certain answers to those sent since the first of them; each up to what is asked for. */
export type Undecided = { provider: string; undecided: number; certain: number }

/** A provider that answers nine of ten submits is well, however many it loses. */
export const certainPerUnknown = 9

export const isUnanswering = ({ undecided, certain }: Undecided, undecidedMax: number, certainMax: number): boolean =>
  undecided >= undecidedMax && certain < certainMax

/** Pauses between probes: the first, twice as long each time, up to the longest. */
export type ProbePauses = { firstMs: number; maxMs: number }

/**
 * Which holds the outcome of a probe ends. Content is looked at with a key that is good; another refusal says nothing of the key or the
 * account.
 */
export const endedByProbe = {
  accepted: ['unanswered', 'key_refused', 'no_balance'],
  prompt_rejected: ['unanswered', 'key_refused'],
  generation_unavailable: ['unanswered'],
} as const satisfies Record<'accepted' | RefusalCode, HoldCause[]>
