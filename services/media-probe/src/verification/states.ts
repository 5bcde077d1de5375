import { invariant } from '@filmgate/kit/failure'

/** What has become of a task's media here. */
export type VerificationState = 'waiting' | 'verified' | 'rejected' | 'deleted'

const transitions: Record<VerificationState, readonly VerificationState[]> = {
  waiting: ['verified', 'rejected'],
  verified: ['deleted'],
  rejected: ['deleted'],
  deleted: [],
}

/** The states from which `to` may be reached; a row in another one is left alone. */
export function statesBefore(to: VerificationState): VerificationState[] {
  const before = (Object.keys(transitions) as VerificationState[]).filter(from => transitions[from].includes(to))
  invariant(before.length > 0, `${to} is where a verification begins`)
  return before
}
