import { APICallError, type Experimental_VideoModelV4OperationWebhook } from '@ai-sdk/provider'
import { verifyWebhook } from '@filmgate/client/webhooks'
import { isRetryable } from '../api/call-error.ts'
import type { Api } from '../api/open-api.ts'
import type { Native } from '../request/build-request.ts'

const postMsMax = 260_000

type Post = {
  api: Pick<Api, 'fetch' | 'apiKey' | 'openAiUrl'>
  request: Native
  idempotencyKey: string
  tags: Record<string, string> | undefined
  cancelAfterSeconds: number | undefined
  callback: { url: string; secret: string }
  signal: AbortSignal | undefined
}

/** What a task of `/openai/v1/videos` says of itself: the id is that of the native task. */
type Started = { id: string; credits_used: number; credits_refunded: number }
type Refusal = { error?: { message?: string; code?: string; details?: { issues?: { path: string; rule: string }[] } } }

/**
 * Starts a task that tells its end to a URL of its own. The native route knows webhooks of accounts alone; this one takes every native
 * field and a `callback_url`. Undefined where the installation has no webhooks: then nothing was made.
 */
export async function startWithCallback(post: Post): Promise<Started | undefined> {
  const { api, request, idempotencyKey } = post
  const url = `${api.openAiUrl}/videos`
  const failure = (message: string, about: Partial<ConstructorParameters<typeof APICallError>[0]>) =>
    new APICallError({ message, url, requestBodyValues: request, ...about })
  const { answer, text } = await send(url, post).catch((cause: unknown) => {
    throw failure('The connection broke before the answer had come.', { cause, isRetryable: true })
  })
  const body = parsed(text)
  if (answer.ok && typeof body?.id === 'string') return body as Started
  const { error = {} } = (body ?? {}) as Refusal
  if (error.details?.issues?.some(({ path, rule }) => path === 'callback_url' && rule === 'unsupported_field')) return undefined
  throw failure(error.message ?? `The answer (${answer.status}) is not one of this API. Does the base URL end in /api/v1?`, {
    statusCode: answer.status,
    responseHeaders: Object.fromEntries(answer.headers),
    responseBody: text,
    // An answer that is cut is none.
    isRetryable: answer.ok || isRetryable(error.code ?? '', answer.status),
    data: { error, idempotencyKey },
  })
}

async function send(url: string, { api, request, callback, idempotencyKey, tags, cancelAfterSeconds, signal }: Post) {
  const deadline = AbortSignal.timeout(postMsMax)
  const answer = await api.fetch(url, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${api.apiKey}`,
      'content-type': 'application/json',
      'idempotency-key': idempotencyKey,
      ...(tags && { 'filmgate-tags': tagsHeader(tags) }),
      ...(cancelAfterSeconds !== undefined && { 'filmgate-cancel-after': String(cancelAfterSeconds) }),
    },
    body: JSON.stringify({ ...request, callback_url: callback.url, callback_secret: callback.secret }),
    redirect: 'manual',
    signal: signal ? AbortSignal.any([signal, deadline]) : deadline,
  })
  return { answer, text: await answer.text() }
}

const tagsHeader = (tags: Record<string, string>): string =>
  Object.entries(tags)
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .join(',')

function parsed(text: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Signs the callbacks of one task. It follows from the two keys, so that a retry says the same and nothing is kept. */
export async function callbackSecret(apiKey: string, idempotencyKey: string): Promise<string> {
  const bytes = (text: string) => new TextEncoder().encode(text)
  const key = await crypto.subtle.importKey('raw', bytes(apiKey), { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
  const signature = new Uint8Array(await crypto.subtle.sign('HMAC', key, bytes(`filmgate callback ${idempotencyKey}`)))
  return `whsec_${btoa(String.fromCharCode(...signature))}`
}

/** Whether a call to the webhook's URL is Filmgate's and says that this task has ended. */
export async function tellsEnd(call: Experimental_VideoModelV4OperationWebhook, secret: string, taskId: string): Promise<boolean> {
  // Receivers that parse JSON lose the bytes that are signed; Filmgate writes them as JSON.stringify does.
  const payload = typeof call.body === 'string' ? call.body : JSON.stringify(call.body)
  try {
    const event = await verifyWebhook(payload, call.headers, secret)
    return (event.type === 'task.completed' || event.type === 'task.failed') && event.data.task.id === taskId
  } catch {
    return false
  }
}
