import type { Reasons } from '@filmgate/kit/failure'
import { protocolFaults } from '@filmgate/kit/http/wire/faults'
import { requestReasons } from '@filmgate/kit/request/reasons'

/** Every code a client can meet, its status and its words: the closed list of the API reference. */
export const reasons = {
  invalid_request: [400, 'The request does not fit the model. See details.issues.'],
  invalid_content_type: [400, 'Send the body with Content-Type: application/json.'],
  invalid_json: [400, 'The body is not valid JSON.'],
  unsupported_field: [400, 'The model does not take this field. See details.issues.'],
  missing_idempotency_key: [400, 'Send an Idempotency-Key header: it keeps a retry from buying a second video.'],
  invalid_idempotency_key: [400, 'An Idempotency-Key has 1 to 160 letters, digits and . _ : -'],
  invalid_task_id: [400, 'A task id has at most 120 letters, digits, - and _.'],
  unknown_model: [400, 'No such model. GET /models lists them.'],
  media_unreachable: [400, 'A media URL could not be read.'],
  media_forbidden_address: [400, 'A media URL leads to an address that is not public.'],
  media_too_large: [400, 'A media file is too large.'],
  media_type_unsupported: [400, 'A media file is of a type the model does not take.'],
  media_dimensions: [400, 'The width, height or ratio of a media file is outside the limits.'],
  media_frame_rate: [400, 'The frame rate of a video is outside the limits.'],
  media_duration: [400, 'The length of a media file is outside the limits.'],
  media_duration_mismatch: [400, 'The length of a media file is not what was declared.'],
  media_corrupt: [400, 'A media file could not be decoded.'],
  max_credits_exceeded: [400, 'The price is higher than max_credits. Nothing was charged.'],
  prompt_rejected: [400, 'The content of the request was refused. Credits are returned.'],
  missing_api_key: [401, 'Send your API key as "Authorization: Bearer sk_live_…".'],
  invalid_api_key: [401, 'This API key is not valid.'],
  insufficient_credits: [402, 'The paid balance is too low. Nothing was charged.'],
  budget_exceeded: [402, 'A budget of this key or its account has too little left. Nothing was charged. See details.'],
  task_not_found: [404, 'No such task for this account.'],
  upload_not_found: [404, 'No such upload of this account, or it was deleted.'],
  model_not_found: [404, 'No such model. GET /models lists them.'],
  video_not_ready: [404, 'The video is still being made. Read it until it has ended.'],
  not_found: [404, 'No such route.'],
  method_not_allowed: [405, 'This route does not take this method. See Allow.'],
  no_video: [409, 'This task has no video: it is not completed. Read the task.'],
  idempotency_key_reused: [409, 'This Idempotency-Key belongs to a request with another body.'],
  video_not_ended: [409, 'The video is still being made, and can be deleted once it has ended.'],
  not_cancellable: [409, 'This task is not to be cancelled. See details.reason.'],
  cancelled: [409, 'The task was cancelled before a provider had it. Credits are returned.'],
  body_too_large: [413, 'The body is larger than 64 KiB.'],
  rate_limited: [429, 'Too many requests. Wait for the seconds in Retry-After.'],
  unfinished_task_limit: [429, 'Too many unfinished tasks on this account. Wait for one to finish.'],
  upload_limit: [429, 'This account has uploaded too much. Wait for the seconds in Retry-After.'],
  generation_unavailable: [503, 'The generation could not be started. Credits are returned.'],
  acceptance_uncertain: [
    503,
    'Whether the generation was started is not known yet. Retry with the same Idempotency-Key, or read the task in details.task_id.',
  ],
  service_unavailable: [503, 'Temporarily unavailable. Ask again after the seconds in Retry-After.'],
  operator_token_required: [401, 'Send the operator token as a bearer token.'],
  operator_mismatch: [403, 'This token is of another operator. Leave the name out, or send that of the token.'],
  operator_role_insufficient: [403, 'The role of this token does not allow that. See details.needed.'],
  second_person_required: [403, 'So many credits need a second operator, each with a token of their own. Nothing was moved.'],
  account_not_found: [404, 'No such account.'],
  key_not_found: [404, 'No such key.'],
  change_not_found: [404, 'No such grant or debit waits for a second operator.'],
  console_token_required: [401, 'Send the console token as a bearer token.'],
  account_closed: [409, 'This account is closed.'],
  change_id_reused: [409, 'This id belongs to a grant or a debit with other terms. Nothing was moved.'],
  too_many_secrets: [409, 'Ten former secrets of this key still work. Rotate it when the first of them has ended, or revoke it.'],
  endpoint_limit: [409, 'An account has at most 20 webhook endpoints. Remove one first.'],
  too_many_keys: [409, 'An account has at most 20 keys that work.'],
  ...protocolFaults,
  internal_error: [500, 'Something went wrong on our side.'],
} as const satisfies Reasons

export type Reason = keyof typeof reasons

/** A POST with an Idempotency-Key may have been recorded: it is repeated under that key. Webhook endpoints have no model to fit. */
export function wordsFor(reason: string, { method, headers, url }: Request): string | undefined {
  if (reason === 'service_unavailable' && method === 'POST' && headers.has('idempotency-key'))
    return 'Temporarily unavailable. Retry with the same Idempotency-Key after the seconds in Retry-After.'
  if (reason === 'invalid_request' && url.includes('/webhook-endpoints')) return requestReasons.invalid_request[1]
  return undefined
}
