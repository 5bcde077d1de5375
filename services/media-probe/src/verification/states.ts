import { invariant } from '@filmgate/kit/failure'

/** The state of a task's media. */
export type VerificationState = 'waiting' | 'verified' | 'rejected' | 'deleted'

const transitions: Record<VerificationState, readonly VerificationState[]> = {
  waiting: ['verified', 'rejected'],
  verified: ['deleted'],
  rejected: ['deleted'],
  deleted: [],
}

/** The states from which `to` is reachable; rows in other states don't change. */
export function statesBefore(to: VerificationState): VerificationState[] {
  const before = (Object.keys(transitions) as VerificationState[]).filter(from => transitions[from].includes(to))
  invariant(before.length > 0, `${to} is the initial state of a verification`)
  return before
}
