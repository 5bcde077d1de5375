import type { Schema } from '../../../rules/json-schema'
import { eventTypes } from '../../../tasks/events/task-events'
import { taskCodes } from '../error-codes'
import { list, object, oneOf, page, ref, refOrNull, text, time, whole } from './shape'

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
      'An MP4 in managed storage, kept for 30 days. Not a private link: whoever holds it can fetch the video. Keep a copy of your own. Saved, it is named after the task.',
      { format: 'uri' },
    ),
  }),
  TaskError: object('Why a task failed. The credits come back.', {
    code: oneOf(taskCodes, 'For programs. Every code is explained under Errors.'),
    message: text('For people. The words may change.'),
  }),
  TaskEvent: object(
    'A step of a task. Ignore types that you do not know: more may be added.',
    {
      id: text('Which event of its task it is, counted from 1: what to send as Last-Event-ID.', { pattern: '^[0-9]+$' }),
      type: ref('TaskEventType'),
      at: time('When it happened.'),
      percent: whole('running: how far the video is, where the provider tells it. Never less than before.', 0),
      position: whole("running: the place in the provider's queue, as the provider counts, where it tells it.", 0),
      credits_used: whole('queued, completed: the credits that were reserved.', 0),
      credits_refunded: whole('completed, refunded: the credits that came back.', 0),
      video_url: text('completed: where the video is.', { format: 'uri' }),
      error: ref('TaskError', 'failed: why.'),
    },
    ['percent', 'position', 'credits_used', 'credits_refunded', 'video_url', 'error'],
  ),
  TaskEventType: oneOf(
    eventTypes,
    'queued: credits are held. accepted: a provider makes the video. running: how far it is. copying: it is copied to managed storage. in_review: whether there will be a video is not known yet. completed: it is there and paid. failed: there is none. refunded: the credits are back.',
  ),
  TaskEventList: object('What happened to a task so far, oldest first.', {
    object: { const: 'list', description: 'Always `list`.' },
    data: list(ref('TaskEvent'), 'The events.'),
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
