/**
 * Kinds of jobs; a job's id is its attempt's, of `cancel` its task's. `attempt`: submit, look-up and poll, the attempt's state says which. `copy`: the first copy of
 * its output; `recopy`: the copies after one that failed. `cancel`: a cancel that is not yet decided.
 */
export const attemptJob = 'attempt'
export const copyJob = 'copy'
export const recopyJob = 'recopy'
export const cancelJob = 'cancel'
