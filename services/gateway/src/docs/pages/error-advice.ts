import type { Reason } from '../../errors'

const media =
  'Correct or replace the file that `details.field` names, and send the request again. The key is free if nothing was reserved; else take a new one. Credits are returned.'
const http = 'Correct the HTTP client: a library in common use does not send this.'

/** What to do about each public code, in Markdown. */
export const adviceOf: Partial<Record<Reason, string>> = {
  invalid_request: 'Correct what each of `details.issues` names, and send it again under the same Idempotency-Key: nothing was charged.',
  invalid_content_type: 'Send `Content-Type: application/json`.',
  invalid_json: 'Make the body with a JSON library.',
  unsupported_field: 'Leave the field out, or choose a model that takes it: the page of each model lists its fields.',
  missing_idempotency_key: 'Make a key before the first attempt, store it beside your own record, and send it with every repetition.',
  invalid_idempotency_key: 'Use a UUID, or the id of your own record.',
  invalid_task_id: 'Send the `id` of the answer to POST unchanged.',
  unknown_model: 'Take a name of `GET /models`. The message names the nearest one.',
  media_unreachable:
    'Check that the URL answers 200 to a GET without cookies, from outside of your network, and is not a page. Or upload the file.',
  media_forbidden_address: 'Serve the file on port 443 of a public host, or upload it.',
  media_too_large: media,
  media_type_unsupported: media,
  media_dimensions: media,
  media_frame_rate: media,
  media_duration: media,
  media_duration_mismatch:
    'Declare the length that plays, in whole seconds, rounded up. `details.measured` tells it. Then send the request under a new key.',
  media_corrupt: media,
  max_credits_exceeded: 'Raise `max_credits`, or order a shorter or smaller video. The key is free.',
  prompt_rejected: 'Change the prompt or the pictures, and send it under a new key. The same content is refused again.',
  missing_api_key: 'Send the header `Authorization` with your key.',
  invalid_api_key:
    'Create a key in the console. A revoked key, one that has ended and one that is bound to other addresses are refused like this. Do not repeat it.',
  insufficient_credits: 'Buy credits, or order a cheaper video. Starter credits do not count here. The key is free.',
  budget_exceeded: 'Wait until `details.resets_at`, or let an owner raise the budget. The key is free.',
  task_not_found: 'Check the id, and that the key belongs to the account that made the task.',
  upload_not_found: 'Upload the file again: an upload is deleted after a day.',
  model_not_found: 'Take a name of `GET /models`.',
  video_not_ready: 'Read the video until its status is `completed`.',
  not_found: 'Check the path: paths are below `/api/v1`, or `/openai/v1` for OpenAI’s clients.',
  method_not_allowed: 'Use a method that the header `Allow` names.',
  no_video: 'Read the task: its status says whether a video is still to come.',
  idempotency_key_reused: 'Use a new key for a new request. To repeat a request send the same body.',
  video_not_ended: 'Wait until the video has ended, or cancel its task first.',
  not_cancellable: 'Read `details.reason`. The task ends by itself; read it for how.',
  cancelled: 'Nothing: the task was cancelled by you, and its credits are returned. A new request needs a new key.',
  body_too_large: 'Shorten the body. Files are named by URL or uploaded, never sent inside it.',
  rate_limited: 'Wait for the seconds in `Retry-After`, then send the identical request.',
  unfinished_task_limit:
    'Wait until one of `details.unfinished` ends, then send the identical request. Ask the operator for a higher limit.',
  upload_limit: 'Wait for the seconds in `Retry-After`.',
  generation_unavailable: 'Try again under a new key after `Retry-After`, or with another model. Credits are returned.',
  acceptance_uncertain:
    'Send the identical request with the same key, or read the task in `details.task_id`. Never take a new key: that could buy a second video.',
  service_unavailable: 'Send the identical request again after `Retry-After`, under the same key.',
  endpoint_limit: 'Delete an endpoint that you no longer need.',
  invalid_http: http,
  too_many_pipelined: 'Wait for answers before you send further requests on a connection.',
  request_timeout: 'Send the whole request at once.',
  expectation_failed: http,
  headers_too_large: 'Send fewer or shorter headers.',
  http_version_not_supported: http,
  internal_error: 'Send the identical request again under the same key. If it stays, tell us the `X-Request-Id`.',
}
