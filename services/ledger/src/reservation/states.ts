import { invariant } from '@filmgate/kit/failure'

export const states = ['reserved', 'review', 'refund_pending', 'settled', 'refunded'] as const
export type State = (typeof states)[number]
/** In which a reservation still holds its credits. */
export const openStates = ['reserved', 'review', 'refund_pending'] as const
export type OpenState = (typeof openStates)[number]

export const heards = ['uncertain', 'completed', 'refused', 'refund_due'] as const
/** What is heard of a task: its maker's verdict, or that its refund may be completed. */
export type Heard = (typeof heards)[number]

/** `stale`: said before, or overtaken; nothing to do. `contradiction`: can't be true together with the state. `illegal`: our own mistake. */
type Answer = State | 'stale' | 'contradiction' | 'illegal'

/**
 * The whole life of a reservation: what each state makes of what is heard. Forward only; settled and refunded are for ever. An
 * `uncertain` after anything later is a redelivery. Events of one task come in order within a topic but not between topics.
 */
const answers: Readonly<Record<State, Readonly<Record<Heard, Answer>>>> = {
  reserved: { uncertain: 'review', completed: 'settled', refused: 'refund_pending', refund_due: 'illegal' },
  review: { uncertain: 'stale', completed: 'settled', refused: 'refund_pending', refund_due: 'illegal' },
  refund_pending: { uncertain: 'stale', completed: 'contradiction', refused: 'stale', refund_due: 'refunded' },
  settled: { uncertain: 'stale', completed: 'stale', refused: 'contradiction', refund_due: 'illegal' },
  refunded: { uncertain: 'stale', completed: 'contradiction', refused: 'stale', refund_due: 'stale' },
}

/** Where a reservation goes when it hears that, or why it stays. */
export function move(state: State, heard: Heard): State | 'stale' | 'contradiction' {
  const answer = answers[state][heard]
  invariant(answer !== 'illegal', `a reservation that is ${state} never hears ${heard}`)
  return answer
}
