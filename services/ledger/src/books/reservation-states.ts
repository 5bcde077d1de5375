import { invariant } from '@filmgate/kit/failure'

export const states = ['reserved', 'review', 'refund_pending', 'settled', 'refunded'] as const
export type State = (typeof states)[number]
/** In which a reservation still holds its credits. */
export const openStates = ['reserved', 'review', 'refund_pending'] as const
export type OpenState = (typeof openStates)[number]

/** `refused`: surely no provider took the order, or its media were rejected. `failed`: a provider took it, and there will surely be no video. */
export type Verdict = 'completed' | 'refused' | 'failed'
/** Why a reservation changes its state: a verdict, uncertainty about the task, or, from the ledger itself, its pending refund being due. */
export type Cause = Verdict | 'uncertain' | 'refund_due'

export const recordedCauses = ['uncertain', 'completed', 'refused', 'refund_due'] as const
/** A cause as contradictions are stored and counted. */
export type RecordedCause = (typeof recordedCauses)[number]

/** Neither a refusal nor a failure is paid for, and both are recorded as `refused`. */
export const recordedCause = (cause: Cause): RecordedCause => (cause === 'failed' ? 'refused' : cause)

/**
 * `stale`: known already, or something later is; nothing to do. `contradiction`: can't be true together with the state. `illegal`: a fault in
 * this code.
 */
type Answer = State | 'stale' | 'contradiction' | 'illegal'

/**
 * The whole life of a reservation: what each cause makes of each state. Forward only; settled and refunded are final. An `uncertain` that
 * comes after anything later was delivered again: events of one task come in order within a topic, but not between topics.
 */
const answers: Readonly<Record<State, Readonly<Record<Cause, Answer>>>> = {
  reserved: { uncertain: 'review', completed: 'settled', refused: 'refund_pending', failed: 'refund_pending', refund_due: 'illegal' },
  review: { uncertain: 'stale', completed: 'settled', refused: 'refund_pending', failed: 'refund_pending', refund_due: 'illegal' },
  refund_pending: { uncertain: 'stale', completed: 'contradiction', refused: 'stale', failed: 'stale', refund_due: 'refunded' },
  settled: { uncertain: 'stale', completed: 'stale', refused: 'contradiction', failed: 'contradiction', refund_due: 'illegal' },
  refunded: { uncertain: 'stale', completed: 'contradiction', refused: 'stale', failed: 'stale', refund_due: 'stale' },
}

/** The state that a cause takes a reservation to, or why it keeps its own. */
export function nextState(state: State, cause: Cause): State | 'stale' | 'contradiction' {
  const answer = answers[state][cause]
  invariant(answer !== 'illegal', `a reservation that is ${state} never hears ${cause}`)
  return answer
}
