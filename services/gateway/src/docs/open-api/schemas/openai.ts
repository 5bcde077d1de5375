import type { Schema } from '../../../rules/json-schema'
import { taskCodes } from '../error-codes'
import { list, object, oneOf, ref, refOrNull, text, textOrNull, whole, yes } from './shape'

const seconds = (description: string): Schema => ({ type: ['string', 'integer'], description })
const noneYet = (description: string): Schema => ({ type: ['integer', 'null'], description })

const fields: Schema = {
  prompt: text('What is to be seen.'),
  model: text('A model of `GET /models`. Without it: the default of POST /video/generations.'),
  seconds: seconds('The length, as `duration`.'),
  size: text('Width and height, such as `1280x720`, of a resolution and a ratio that the model has; or one of its resolutions.'),
  callback_url: text(
    'An https URL to which the ends of this video are posted, as webhook events of its task: completed, failed and in review. Retried for 24 hours. Not part of what an Idempotency-Key compares: that of the first request stays.',
  ),
  callback_secret: text(
    'Signs them as Standard Webhooks say. `whsec_` and the base64 of 24 to 64 bytes, or a text of 16 to 256 characters, whose UTF-8 is the key. Without it they are not signed: read the video before you believe one.',
  ),
  metadata: { type: 'object', description: 'Names and values of your own.', additionalProperties: { type: 'string' } },
}

/** The shapes of OpenAI's videos API. Objects of answers have what its clients read and, beside it, what a video cost. */
export const openAiSchemas: Record<string, Schema> = {
  OpenAiVideoBody: {
    type: 'object',
    description:
      'Every field of a VideoGenerationRequest is taken beside these. `seconds`, `size` and `input_reference` stand for native fields.',
    properties: {
      ...fields,
      input_reference: {
        description: 'The first frame, as `image_url` of image-to-video.',
        anyOf: [
          { type: 'string', description: 'Its URL.' },
          object('Its URL, as OpenAI’s clients send it.', { image_url: text('An https URL.') }),
        ],
      },
    },
    required: ['prompt'],
    additionalProperties: true,
  },
  OpenAiVideoForm: {
    type: 'object',
    description: 'The same as a form, as OpenAI’s clients send it. A list is `name[]`, an object `name[key]`.',
    properties: { ...fields, input_reference: text('A JPEG, PNG or WebP file.', { contentMediaType: 'application/octet-stream' }) },
    required: ['prompt'],
    additionalProperties: true,
  },
  OpenAiVideo: object('A task as OpenAI’s clients read it.', {
    id: text('The id of the task.'),
    object: { const: 'video', description: 'Always `video`.' },
    status: oneOf(['queued', 'in_progress', 'completed', 'failed'], 'queued and in_progress: the task is processing.'),
    progress: whole('Of the steps admission, making, copying and booking, those that are done, in percent.', 0),
    model: text('The model that makes the video.'),
    prompt: textOrNull('What was asked for; null where it was forgotten with its account.'),
    seconds: text('The length that was ordered.'),
    size: textOrNull('What was made; before that what was ordered, null where it follows an input.'),
    created_at: whole('When the task was accepted, in seconds since 1970.', 0),
    completed_at: noneYet('When it was completed.'),
    expires_at: noneYet('Always null: outputs are kept for 30 days.'),
    remixed_from_video_id: { type: 'null', description: 'Always null.' },
    error: refOrNull('OpenAiVideoError', 'Why the video failed.'),
    credits_used: whole('The credits that were reserved.', 0),
    credits_refunded: whole('The credits that came back.', 0),
  }),
  OpenAiVideoError: object('Why a video failed. The credits come back.', {
    code: oneOf(taskCodes, 'For programs. Every code is explained under Errors.'),
    message: text('For people. The words may change.'),
  }),
  OpenAiVideoList: object('A page of videos.', {
    object: { const: 'list', description: 'Always `list`.' },
    data: list(ref('OpenAiVideo'), 'The videos of this page.'),
    first_id: textOrNull('The id of the first; null where there is none.'),
    last_id: textOrNull('What to send as `after` for the next page.'),
    has_more: yes('Whether there are further videos.'),
  }),
  OpenAiVideoDeleted: object('What was deleted.', {
    id: text('The id of the task.'),
    object: { const: 'video.deleted', description: 'Always `video.deleted`.' },
    deleted: { const: true, description: 'Always true.' },
  }),
  OpenAiModel: object('A model that can be had.', {
    id: text('Its name.'),
    object: { const: 'model', description: 'Always `model`.' },
    created: whole('Always 0: models have no date here.', 0),
    owned_by: text('Its family.'),
  }),
  OpenAiModelList: object('The models that can be had.', {
    object: { const: 'list', description: 'Always `list`.' },
    data: list(ref('OpenAiModel'), 'One a model.'),
  }),
  OpenAiError: object('A refusal as OpenAI’s clients read it.', {
    error: object(
      'The refusal.',
      {
        message: text('For people: every fault of the request.'),
        type: oneOf(
          ['invalid_request_error', 'insufficient_quota', 'rate_limit_error', 'server_error'],
          'The class of the refusal, by its status.',
        ),
        param: textOrNull('The first field that it is about.'),
        code: ref('ErrorCode'),
        details: ref('ErrorDetails', 'As in an ErrorResponse.'),
      },
      ['details'],
    ),
  }),
}
