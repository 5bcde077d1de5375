import { invariant } from '@filmgate/kit/failure'

export const states = ['sending', 'unknown', 'accepted', 'overdue', 'copying', 'refused', 'completed', 'failed'] as const

/**
 * sending: the maker may be being called. unknown: it was called and what became of that is not known. overdue: accepted, and not
 * finished within the generation's timeout.
 */
export type State = (typeof states)[number]
export const endStates = ['refused', 'completed', 'failed'] as const

/** Every legal move. */
const moves: Record<State, readonly State[]> = {
  sending: ['accepted', 'refused', 'unknown'],
  unknown: ['accepted', 'refused'],
  accepted: ['copying', 'failed', 'overdue'],
  overdue: ['copying', 'failed'],
  copying: ['completed', 'failed'],
  refused: [],
  completed: [],
  failed: [],
}

export function checkMove(from: State, to: State): void {
  invariant(moves[from].includes(to), `an attempt that is ${from} can’t become ${to}`)
}

/** One try at one maker. */
export type Attempt = {
  id: string
  taskId: string
  accountId: string
  number: number
  maker: string
  makerModel: string
  model: string
  state: State
  makerTaskId: string | null
  /** Whether the maker repeats our id beside its own. */
  echoed: boolean
  traceparent: string | null
  outputKey: string | null
}

/** An attempt whose job is due, with its deadlines as the database's clock sees them. */
export type DueAttempt = Attempt & {
  /** A look-up made from now on that finds nothing proves that nothing was accepted. */
  absenceProves: boolean
  acceptedMsAgo: number
  /** Its sender ended without a word. */
  senderLost: boolean
  /** An operator named its maker's id. */
  operatorAccepted: boolean
  /** How often its maker knew nothing of it while it showed others of ours; since when, and when it last knew nothing, null for never. */
  absenceCount: number
  absenceFirstMsAgo: number | null
  absenceLastMsAgo: number | null
}

/** Words the client reads. */
export const refusalMessages = {
  prompt_rejected: 'The prompt or its media were refused by the content rules.',
  generation_unavailable: 'Generation is unavailable at the moment.',
} as const
export type RefusalCode = keyof typeof refusalMessages

export const ownFaultMessage =
  'A fault of ours kept the provider from reading the media. Nothing was charged. Retry with the same Idempotency-Key.'

export const failureMessages = {
  generation_failed: 'The generation failed.',
  output_moderated: 'The output was withheld by the content rules.',
  output_unavailable: 'The finished video could not be fetched.',
  generation_unavailable: 'A fault of ours kept the generation from being made. Nothing was charged.',
} as const
export type FailureCode = keyof typeof failureMessages
