import { APICallError } from '@ai-sdk/provider'
import { FilmgateError } from '@filmgate/client'
import type { LastAnswer } from './api-fetch.ts'

type Call = { url: string; request: unknown; last: LastAnswer | undefined; signal: AbortSignal | undefined }

/**
 * An error as the AI SDK expects it: an APICallError, or the abort of the caller's signal. It is retryable only where the contract lets the
 * same request be sent again under the same Idempotency-Key. A 409 is not, though the AI SDK would retry it by itself. A task that was waited
 * for in vain isn't either: the AI SDK would wait for it as long again.
 */
export function callError(error: unknown, { url, request, last, signal }: Call): unknown {
  if (signal?.aborted) return abortOf(signal)
  if (!(error instanceof FilmgateError)) return error
  const { code, status, details, message, requestId, retryAfterSeconds, taskId, idempotencyKey, task } = error
  const retryAfter = retryAfterSeconds === undefined ? undefined : { 'retry-after': String(retryAfterSeconds) }
  return new APICallError({
    message,
    url: last?.url ?? url,
    requestBodyValues: request,
    statusCode: status,
    responseHeaders: { ...last?.headers, ...retryAfter },
    responseBody: JSON.stringify({ error: { code, message, ...(details && { details }) } }),
    isRetryable: task?.status !== 'failed' && !(code === 'timeout' && taskId !== undefined) && isRetryable(code, status),
    data: { error: { code, message, details }, requestId, taskId, idempotencyKey },
    cause: error,
  })
}

/** Without a status no answer came. */
export function isRetryable(code: string, status: number | undefined): boolean {
  if (status === undefined) return code === 'connection_failed' || code === 'timeout'
  return status === 408 || status === 429 || status >= 500
}

/** The AI SDK knows an abort by its name. */
export function abortOf({ reason }: AbortSignal): unknown {
  return reason instanceof Error ? reason : new DOMException('The call was aborted.', 'AbortError')
}
