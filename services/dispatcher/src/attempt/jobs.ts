import type { Job } from '@filmgate/kit/jobs-repository'

/** Job kinds. `attempt`: submit, look-up and poll, the attempt's state says which. `copy`: its output; `recopy`: once more. The id is the attempt's. */
export const attemptJob = 'attempt'
export const copyJob = 'copy'
export const recopyJob = 'recopy'

/** How often an attempt of a maker that is not configured is looked at. */
export const unknownMakerMs = 60_000

/** The job an attempt is born with, leased to whoever writes it. */
export const birthJob = ({ id, accountId }: { id: string; accountId: string }): Job<object> => ({
  kind: attemptJob,
  id,
  fairnessKey: accountId,
  payload: {},
  epoch: 1,
  tries: 1,
})
