/**
 * Kinds of jobs. A job has the id of its attempt, `cancel` that of its task. `attempt`: submit, look-up and poll, the attempt's state says
 * which. `copy`: the first copy of its output; `recopy`: the copies after one that failed. `cancel`: a cancel that is not decided yet.
 */
export const attemptJob = 'attempt'
export const copyJob = 'copy'
export const recopyJob = 'recopy'
export const cancelJob = 'cancel'
