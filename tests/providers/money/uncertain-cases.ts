import type { Behaviour } from '../../support/simulator'
import type { Target } from '../matrix/start-providers'
import { isFound, isSure } from './ends'
import type { ReservationState } from './reservations'

/** What loses the answer to a submit; `has`: whether the provider has accepted it. */
type Loss = { name: string; behaviours: Behaviour[]; has: boolean }

const drop: Behaviour = { name: 'accept_then_drop' }
/** Later than the submit is given up. */
const late: Behaviour = { name: 'accept_late', delay_ms: 4_500 }

const losses: Loss[] = [
  { name: 'dropped', behaviours: [drop], has: true },
  { name: 'a 500', behaviours: [{ name: 'accept_then_500' }], has: true },
  { name: 'broken', behaviours: [{ name: 'bad_json' }], has: true },
  { name: 'late', behaviours: [late], has: true },
  { name: 'lagging', behaviours: [drop, { name: 'lookup_lags', delay_ms: 8_000 }], has: true },
  { name: 'unreadable', behaviours: [drop, { name: 'lookup_500', times: 3 }], has: true },
  { name: 'dropped before', behaviours: [{ name: 'drop_before_accept' }], has: false },
  { name: 'a 500 before', behaviours: [{ name: '500_before_accept' }], has: false },
]

/** What a provider makes of what it accepted, in the end. */
const makes = { video: [], nothing: [{ name: 'moderated' }] } satisfies Record<string, Behaviour[]>
export const kinds = losses.flatMap(loss =>
  (Object.keys(makes) as (keyof typeof makes)[]).map(made => ({
    words: `${loss.name}, ${made}`,
    behaviours: [...loss.behaviours, ...makes[made]] as Behaviour[],
    has: loss.has,
    made,
  })),
)
export type Kind = (typeof kinds)[number]

/** `expected`: what becomes of its reservation. `heals`: by itself. */
export type Case = { target: Target; kind: Kind; expected: ReservationState; heals: boolean }

/** Of a hundred orders; what is left goes to the others in turn. */
const shares: Record<string, number> = { simulator: 50, runware: 10, kling: 10, fal: 10, vidu: 4 }

/** The `count` cases of a seed: the same ones each time. */
export function casesOf(targets: Target[], seed: number, count: number): Case[] {
  const next = numbers(seed)
  const others = targets.filter(({ provider }) => shares[provider] === undefined)
  const hundred = targets.flatMap(target => Array.from({ length: shares[target.provider] ?? 0 }, () => target))
  for (let index = 0; hundred.length < 100; index++) hundred.push(others[index % others.length] as Target)
  return Array.from({ length: count }, () => {
    const target = hundred[Math.floor(next() * hundred.length)] as Target
    const kind = kinds[Math.floor(next() * kinds.length)] as Kind
    return { target, kind, ...endOf(target, kind) }
  })
}

function endOf({ offers }: Target, { has, made }: Kind): Pick<Case, 'expected' | 'heals'> {
  if (!has) return isSure(offers) ? { expected: 'refunded', heals: true } : { expected: 'review', heals: false }
  if (!isFound(offers)) return { expected: 'review', heals: false }
  return { expected: made === 'video' ? 'settled' : 'refunded', heals: true }
}

/** 0 ≤ number < 1, the same row for a seed (mulberry32). */
function numbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
