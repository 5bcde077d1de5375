import type { OwnError } from './rows'

/** In this order they are below. */
const order: OwnError[] = ['key', 'balance', 'absent', 'late', 'conflict', 'policy', 'invalid', 'many', 'broken']

/** A provider's word for each error. Sources: the providers' error pages that their verdict.ts names. */
const words: Record<string, Record<OwnError, string | number>> = {
  fal: ofWords('unauthorized user_locked not_found request_timeout conflict content_policy_violation value_error too_many internal_error'),
  runware: ofWords(
    'invalidApiKey insufficientCredits modelNotFound requestTimeout conflictTaskUUID promptBlocked validationFailed rateLimitExceeded internalServerError',
  ),
  ark: ofWords(
    'AuthenticationError AccountOverdueError NotFound.task RequestTimeout Conflict InputTextSensitiveContentDetected InvalidParameter RateLimitExceeded InternalServiceError',
  ),
  'minimax, H3': ofNumbers(1004, 1008, 1000, 1001, 1000, 1026, 2013, 1002, 1000),
  'minimax, Hailuo': ofNumbers(1004, 1008, 2013, 1001, 1000, 1026, 2013, 1002, 1000),
  kling: ofNumbers(1002, 1102, 1203, 5002, 5000, 1301, 1201, 1302, 5000),
  google: ofWords(
    'UNAUTHENTICATED FAILED_PRECONDITION NOT_FOUND DEADLINE_EXCEEDED ABORTED PROHIBITED_CONTENT INVALID_ARGUMENT RESOURCE_EXHAUSTED INTERNAL',
  ),
  dashscope: ofWords(
    'InvalidApiKey Arrearage ModelNotFound RequestTimeOut Conflict DataInspectionFailed InvalidParameter Throttling.RateQuota InternalError',
  ),
  vidu: ofWords(
    'Unauthorized CreditInsufficient TaskNotFound Timeout OperationInProcess AuditSubmitIllegal FieldInvalid QuotaExceeded InternalServiceFailure',
  ),
  pixverse: ofNumbers(10001, 500090, 500008, 99999, 99999, 500063, 400017, 500044, 99999),
  xai: ofWords(
    'unauthenticated permission-denied not-found timeout conflict imagine:content-moderated invalid_argument rate_limit_exceeded internal_error',
  ),
  replicate: ofWords('Unauthenticated Credit NotFound Timeout Conflict (E005) Invalid Throttled Internal'),
  'openai-videos': ofWords(
    'invalid_api_key insufficient_quota not_found timeout conflict moderation_blocked invalid_request rate_limit_exceeded server_error',
  ),
}

function ofNumbers(...codes: number[]) {
  return Object.fromEntries(order.map((error, at) => [error, codes[at] ?? 0])) as Record<OwnError, number>
}
function ofWords(list: string) {
  const codes = list.split(' ')
  return Object.fromEntries(order.map((error, at) => [error, codes[at] ?? ''])) as Record<OwnError, string>
}

/** MiniMax says in words that it knows no such task, whatever the code. */
const minimaxWords = (error: OwnError) => (error === 'absent' ? 'task not found' : 'words')

/** How each provider puts its word. `sent`: what was sent to it. */
const forms: Record<string, (code: string | number, status: number, error: OwnError, sent: unknown) => object> = {
  fal: (code, status) => ({
    detail: status === 422 ? [{ loc: ['body', 'prompt'], msg: 'words', type: code }] : 'words',
    error_type: code,
  }),
  // Of its one task, as Runware names it.
  runware: (code, _, __, sent) => ({ errors: [{ code, message: 'words', ...taskOf(sent) }] }),
  ark: code => ({ error: { code, message: 'words', param: '', type: 'BadRequest' } }),
  'minimax, H3': (code, status, error) => ({
    type: 'error',
    error: { type: 'some_error', message: `${minimaxWords(error)} (${code})`, http_code: String(status) },
  }),
  'minimax, Hailuo': (code, _, error) => ({ task_id: '', base_resp: { status_code: code, status_msg: minimaxWords(error) } }),
  kling: code => ({ code, message: 'words', request_id: 'r' }),
  google: (code, status) => ({ error: { code: status, message: 'words', status: code } }),
  dashscope: code => ({ code, message: 'words', request_id: 'r' }),
  vidu: (code, status) => ({ code: status, reason: code, message: 'words', metadata: {} }),
  pixverse: code => ({ ErrCode: code, ErrMsg: 'words', Resp: null }),
  xai: code => ({ code, error: 'words' }),
  'openai-videos': code => ({ error: { message: 'words', type: 'some_error', param: null, code } }),
  replicate: (code, status) => ({ title: 'words', detail: `words ${code}`, status }),
}

function taskOf(sent: unknown): object {
  const task: unknown = Array.isArray(sent) ? sent[0] : undefined
  return typeof task === 'object' && task !== null && 'taskUUID' in task ? { taskUUID: task.taskUUID } : {}
}

/** An error of a fake's provider, in its own form. */
export function ownError(fake: string, error: OwnError, status: number, sent: unknown): object {
  const name = fake in forms ? fake : (fake.split(',')[0] ?? fake)
  const form = forms[name]
  const code = words[name]?.[error]
  if (!form || code === undefined) throw new Error(`no error of ${fake} is known`)
  return form(code, status, error, sent)
}
