import type { Schema } from '../../../rules/json-schema'
import { taskCodes } from '../error-codes'
import { object, oneOf, page, ref, refOrNull, text, time, whole } from './shape'

/** A task as every route shows it. */
export const taskSchemas: Record<string, Schema> = {
  VideoTask: object(
    'One generation: what was asked, what became of it and what it cost.',
    {
      id: text('Names the task. The id is opaque: at most 120 letters, digits, `-` and `_`.'),
      status: ref('TaskStatus'),
      model: text('The model that makes the video.'),
      mode: ref('Mode'),
      credits_used: whole('The credits that were reserved. Net cost is credits_used minus credits_refunded.', 0),
      credits_refunded: whole(
        'The credits that came back: all of them where the task failed, a part where less was delivered than ordered.',
        0,
      ),
      output: refOrNull('VideoOutput', 'The video; null until the task is completed.'),
      error: refOrNull('TaskError', 'Why the task failed; null for every other status.'),
      created_at: time('When the task was accepted.'),
      updated_at: time('When anything about the task last changed.'),
      billing_status: ref('BillingStatus', 'What became of the credits. Missing until the reservation is known.'),
    },
    ['billing_status'],
  ),
  VideoOutput: object('Where the finished video is.', {
    video_url: text(
      'An MP4 in managed storage, kept for 30 days. Not a private link: whoever holds it can fetch the video. Keep a copy of your own.',
      { format: 'uri' },
    ),
  }),
  TaskError: object('Why a task failed. The credits come back.', {
    code: oneOf(taskCodes, 'For programs. Every code is explained under Errors.'),
    message: text('For people. The words may change.'),
  }),
  VideoTaskList: page('VideoTask', 'A page of tasks, newest first.'),
  TaskStatus: oneOf(
    ['processing', 'completed', 'failed'],
    'processing: being made, or not yet known. completed: the video is in managed storage. failed: there is no video and the credits come back.',
  ),
  BillingStatus: oneOf(
    ['reserved', 'settled', 'refunded', 'refund_pending', 'review'],
    'reserved: held. settled: paid, the video was delivered; where it is less than ordered, credits_refunded has the part that came back. refund_pending, refunded: on the way back, or back. review: whether the provider took the generation is not known yet, and the credits stay held until it is.',
  ),
  Mode: oneOf(
    ['text-to-video', 'image-to-video', 'media-to-video'],
    'text-to-video: from words alone. image-to-video: from a first frame, with some models also a last. media-to-video: from reference images, videos and sound.',
  ),
}
