import type { Reasons } from '@filmgate/kit/failure'
import { requestReasons } from '@filmgate/kit/request/reasons'

/** What an operator's request can be refused for. */
export const reasons = {
  ...requestReasons,
  task_not_found: [404, 'No attempt of this task.'],
  provider_not_found: [404, 'No provider of this name is configured.'],
  no_reviews_fit: [404, 'No open review of this provider fits. Nothing was done.'],
  bulk_end_not_found: [404, 'There is no such bulk end of reviews.'],
  second_person_required: [403, 'So many reviews need a second operator, each with a token of their own. Nothing was done.'],
  model_not_served: [404, 'The provider has no route for a model of this name.'],
  hold_in_force: [409, 'New orders are paused there already.'],
  no_hold: [409, 'No hold of this provider and model is in force.'],
  not_in_review: [409, 'No attempt of this task is held for review.'],
  provider_task_id_unknown: [409, 'The provider knows no such id; look again at what it shows.'],
  provider_task_id_taken: [409, 'This id of the provider’s is another attempt’s.'],
  provider_task_id_unmarked: [
    409,
    'Each task of ours at this provider carries our own id, and this one carries none: it is somebody else’s, unless you know better and force it.',
  ],
  provider_unavailable: [503, 'The provider gave no usable answer when it was asked for this id; try again.'],
  output_not_kept: [409, 'The task has no video that is kept: it is not completed, or its video has expired.'],
  output_gone: [409, 'The provider has the video no more.'],
  output_not_copied: [503, 'The video was not copied from its provider; try again.'],
  attempt_open: [409, 'An attempt of this task is under way: wait for its end, or for its review.'],
  attempt_in_review: [409, 'The task is held for review: end it with `ops review`.'],
  attempt_completed: [409, 'The video was made: publish that again with `ops task replay`.'],
} as const satisfies Reasons

export type Reason = keyof typeof reasons
