import type { Job } from '@filmgate/kit/jobs/job-repository'
import type { Connector } from '../providers/connector'

export const states = ['sending', 'unknown', 'accepted', 'overdue', 'copying', 'refused', 'completed', 'failed'] as const

/**
 * sending: the provider may be being called. unknown: it was called and what became of that is not known. overdue: accepted, and not
 * finished within the generation's timeout. Which state follows which is in transition.ts.
 */
export type State = (typeof states)[number]
export const endStates = ['refused', 'completed', 'failed'] as const

/** One try at one provider. */
export type Attempt = {
  id: string
  taskId: string
  accountId: string
  number: number
  provider: string
  providerModel: string
  model: string
  state: State
  providerTaskId: string | null
  /** Whether the provider repeats our id beside its own. */
  echoed: boolean
  /** How long it may run after its submit. */
  generationMsMax: number
  traceparent: string | null
  outputKey: string | null
}

/** An attempt whose job is due, with its deadlines as the database's clock sees them. */
export type DueAttempt = Attempt & {
  /** A look-up made from now on that finds nothing proves that nothing was accepted. */
  absenceProves: boolean
  createdAt: Date
  acceptedMsAgo: number
  /** Its sender ended before it wrote down an answer. */
  senderLost: boolean
  /** Its inputs were being uploaded when it was last heard of, so that its submit was never sent. */
  uploading: boolean
  /** An operator named its provider's id. */
  operatorAccepted: boolean
  /** The id that its provider named for it in a callback with the provider's own signature, while what became of its submit was not known. */
  calledBackAs: string | null
  /** How often its provider knew nothing of it while it showed others of ours; since when, and when it last knew nothing, null for never. */
  absenceCount: number
  absenceFirstMsAgo: number | null
  absenceLastMsAgo: number | null
  /** Its provider was asked to cancel it. */
  cancelAsked: boolean
  /** Since when its provider says what we don't understand; null while it says what we do. */
  unclearMsAgo: number | null
  /** How far it is, as its provider last told. */
  phase: string | null
  queuePosition: number | null
  percent: number | null
}

/** A due attempt with its job, and the provider that can be asked about it. */
export type Due = { attempt: DueAttempt; job: Job; connector: Connector }
