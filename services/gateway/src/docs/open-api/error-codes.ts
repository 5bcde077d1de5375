import { type Reason, reasons } from '../../errors'

/** Codes of operators' routes, which the reference does not show. */
const ofOperators = new Set<Reason>([
  'operator_token_required',
  'operator_mismatch',
  'operator_role_insufficient',
  'second_person_required',
  'account_not_found',
  'key_not_found',
  'change_not_found',
  'too_many_keys',
  'too_many_secrets',
  'change_id_reused',
  'console_token_required',
  'account_closed',
])

/** Codes of a failed task that no answer has as its status. */
export const taskOnlyCodes = {
  generation_failed:
    'The provider failed after it had accepted the generation. Credits are returned. The same request may succeed under a new Idempotency-Key.',
  output_moderated: 'The provider withheld the output for its content. Credits are returned. The same request may be withheld again.',
  output_unavailable:
    'The output could not be fetched from the provider. Credits are returned. The same request may succeed under a new Idempotency-Key.',
}

/** The closed list: every code that a client can meet in an answer. */
export const publicCodes = (Object.keys(reasons) as Reason[]).filter(code => !ofOperators.has(code))

/** Why a task may have failed. */
export const taskCodes: string[] = [
  ...publicCodes.filter(code => code.startsWith('media_')),
  'prompt_rejected',
  'generation_unavailable',
  'cancelled',
  ...Object.keys(taskOnlyCodes),
]

/** Codes by status among those named. */
export const byStatus = (codes: Reason[]): Map<number, Reason[]> => Map.groupBy(codes, code => reasons[code][0])

const shape: Reason[] = ['invalid_request', 'unsupported_field', 'unknown_model', 'invalid_content_type', 'invalid_json', 'body_too_large']
const key: Reason[] = ['missing_api_key', 'invalid_api_key', 'rate_limited', 'service_unavailable']
const media = publicCodes.filter(code => code.startsWith('media_'))

const webhook: Reason[] = [...key, 'not_found']
const json: Reason[] = ['invalid_request', 'invalid_content_type', 'invalid_json', 'body_too_large']

const creation: Reason[] = [
  ...shape,
  'invalid_idempotency_key',
  'max_credits_exceeded',
  ...media,
  'prompt_rejected',
  ...key,
  'insufficient_credits',
  'budget_exceeded',
  'idempotency_key_reused',
  'cancelled',
  'unfinished_task_limit',
  'generation_unavailable',
  'acceptance_uncertain',
]

/** Which codes each operation answers with. */
export const codesOf = {
  createVideoGeneration: [...creation, 'missing_idempotency_key'],
  estimateVideo: [...shape, ...key],
  getVideoGeneration: ['invalid_task_id', ...key, 'task_not_found', 'not_found'],
  listVideoGenerationEvents: ['invalid_task_id', 'invalid_request', ...key, 'task_not_found', 'not_found'],
  cancelVideoGeneration: [
    ...['invalid_task_id', 'invalid_request', 'invalid_content_type', 'invalid_json', 'body_too_large'],
    ...key,
    ...['task_not_found', 'not_found', 'not_cancellable'],
  ] as Reason[],
  downloadVideo: ['invalid_task_id', ...key, 'task_not_found', 'not_found', 'no_video'],
  listVideoGenerations: ['invalid_request', ...key],
  getPaidCreditBalance: key,
  getApiKey: key,
  listModels: key,
  createUpload: ['invalid_request', 'invalid_content_type', 'invalid_json', 'body_too_large', ...key, 'upload_limit'],
  getUpload: [...key, 'upload_not_found', 'not_found'],
  listUsage: ['invalid_request', ...key],
  summarizeUsage: ['invalid_request', ...key],
  listWebhookEndpoints: key,
  createWebhookEndpoint: [...json, ...key, 'endpoint_limit'],
  getWebhookEndpoint: webhook,
  changeWebhookEndpoint: [...json, ...webhook],
  deleteWebhookEndpoint: webhook,
  rotateWebhookSecret: webhook,
  testWebhookEndpoint: webhook,
  resumeWebhookEndpoint: webhook,
  listWebhookDeliveries: ['invalid_request', ...webhook],
  replayWebhookDeliveries: [...json, ...webhook],
  createOpenAiVideo: [...creation, 'upload_limit'],
  listOpenAiVideos: ['invalid_request', ...key],
  getOpenAiVideo: ['invalid_task_id', ...key, 'task_not_found', 'not_found'],
  getOpenAiVideoContent: ['invalid_task_id', 'invalid_request', ...key, 'task_not_found', 'video_not_ready', 'not_found'],
  deleteOpenAiVideo: ['invalid_task_id', ...key, 'task_not_found', 'video_not_ended', 'not_found'],
  listOpenAiModels: key,
  getOpenAiModel: [...key, 'model_not_found', 'not_found'],
} satisfies Record<string, Reason[]>

export type Operation = keyof typeof codesOf
