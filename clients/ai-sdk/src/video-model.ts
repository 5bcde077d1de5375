import {
  type Experimental_VideoModelV4,
  type Experimental_VideoModelV4CallOptions,
  type Experimental_VideoModelV4OperationStartResult,
  type Experimental_VideoModelV4OperationStatusResult,
  type Experimental_VideoModelV4Result,
  InvalidArgumentError,
  type JSONValue,
  type SharedV4Warning,
} from '@ai-sdk/provider'
import type { VideoGenerationRequest, VideoTask } from '@filmgate/client'
import { type Api, openApi, type Settings } from './api/open-api.ts'
import { type Built, buildRequest, type Native } from './request/build-request.ts'
import { fileUrl } from './request/file-url.ts'
import { metadataOf, videoData } from './result.ts'
import type { FilmgateVideoOptions } from './video-options.ts'
import { awaitEnd, createWebhooks, type Waiter, type Webhooks } from './webhook/await-end.ts'
import { callbackSecret, startWithCallback } from './webhook/callback.ts'

type StartOptions = Experimental_VideoModelV4CallOptions & { webhookUrl?: string }
/** What a call of the AI SDK keeps over its retries, which hand over the same options. */
type Call = { idempotencyKey: string; native: Native; beside: Beside; waiter: Waiter | undefined; built?: Built }
type Beside = Pick<FilmgateVideoOptions, 'tags' | 'cancelAfterSeconds'>
type Context = { settings: Settings; modelId: string; calls: WeakMap<object, Call>; startedHere: Set<string>; webhooks: Webhooks }

/** While a task runs, the answer to a status is held so long, so that nobody reads faster than every ten seconds. */
const holdSeconds = 10

/** A model of Filmgate's as the AI SDK's generateVideo, startVideo and getVideoStatus use it. */
export function createVideoModel(settings: Settings, modelId: string): Experimental_VideoModelV4 {
  const context: Context = { settings, modelId, calls: new WeakMap(), startedHere: new Set(), webhooks: createWebhooks() }
  return {
    specificationVersion: 'v4',
    provider: 'filmgate.video',
    modelId,
    maxVideosPerCall: 1,
    doGenerate: options => generate(context, options),
    doStart: options => start(context, options),
    doStatus: options => readStatus(context, options),
    async handleWebhookOption({ webhook }) {
      const { url, received } = await webhook()
      return { webhookUrl: url, received: awaitEnd(context.webhooks.expect(url), received) }
    },
  }
}

/** Starts a task and follows it by the server's events until it has ended; its retries find the same task. */
async function generate(context: Context, options: Experimental_VideoModelV4CallOptions): Promise<Experimental_VideoModelV4Result> {
  const api = openApi(context.settings, options.headers)
  const { abortSignal: signal } = options
  const call = callOf(context, options)
  try {
    const { request, warnings } = await builtOf(context, api, call, options)
    const task = await create(api, call, request, signal)
    const { task: ended, url } = await api.client.wait(task, { signal })
    const videos = [await videoData(api, url, signal)]
    return { videos, warnings, providerMetadata: metadataOf(ended), response: api.response(context.modelId) }
  } catch (error) {
    throw api.callError(error, { request: call.built?.request, signal })
  }
}

async function start(context: Context, options: StartOptions): Promise<Experimental_VideoModelV4OperationStartResult> {
  // Before anything can fail: the next call with this URL must not find who waits for this one.
  const call = callOf(context, options)
  const api = openApi(context.settings, options.headers)
  const { abortSignal: signal, webhookUrl } = options
  try {
    const { request, warnings } = await builtOf(context, api, call, options)
    const withWebhook = webhookUrl === undefined ? undefined : await startWithWebhook(context, api, { call, request, webhookUrl, signal })
    const task = withWebhook?.task ?? (await create(api, call, request, signal))
    context.startedHere.add(task.id)
    const started = { api, taskId: task.id, secret: withWebhook?.secret, signal }
    call.waiter?.(started)
    return {
      operation: { taskId: task.id },
      warnings: webhookUrl !== undefined && !withWebhook ? [...warnings, noWebhooks] : warnings,
      // generateVideo verifies by itself; who calls startVideo receives the webhook elsewhere.
      providerMetadata: withWebhook && !call.waiter ? { filmgate: { webhookSecret: withWebhook.secret } } : undefined,
      response: api.response(context.modelId),
    }
  } catch (error) {
    throw api.callError(error, { request: call.built?.request, signal })
  }
}

const noWebhooks: SharedV4Warning = {
  type: 'unsupported',
  feature: 'webhook',
  details: 'This installation has no webhooks. The task is read instead.',
}

type WebhookStart = { call: Call; request: Native; webhookUrl: string; signal: AbortSignal | undefined }

async function startWithWebhook({ modelId }: Context, api: Api, { call, request, webhookUrl, signal }: WebhookStart) {
  const { idempotencyKey } = call
  const secret = await callbackSecret(api.apiKey, idempotencyKey)
  const { tags, cancelAfterSeconds } = call.beside
  const started = await startWithCallback({
    api,
    request,
    idempotencyKey,
    tags,
    cancelAfterSeconds,
    callback: { url: webhookUrl, secret },
    signal,
  })
  return started && { task: { ...started, model: modelId }, secret }
}

async function readStatus(
  context: Context,
  {
    operation,
    headers,
    abortSignal: signal,
  }: { operation: JSONValue; headers?: Record<string, string | undefined>; abortSignal?: AbortSignal },
): Promise<Experimental_VideoModelV4OperationStatusResult> {
  const taskId = taskIdOf(operation)
  const holding = context.startedHere.has(taskId) ? { prefer: `wait=${holdSeconds}` } : {}
  const api = openApi(context.settings, { ...headers, ...holding })
  try {
    const task = await api.client.tasks.get(taskId, { signal })
    const response = api.response(task.model)
    if (task.status === 'processing') return { status: 'pending', response }
    const shown = { providerMetadata: metadataOf(task), response }
    context.startedHere.delete(taskId)
    if (task.status === 'completed' && task.output)
      return { status: 'completed', videos: [await videoData(api, task.output.video_url, signal)], warnings: [], ...shown }
    return { status: 'error', error: failureText(task), ...shown }
  } catch (error) {
    throw api.callError(error, { request: { taskId }, signal })
  }
}

function taskIdOf(operation: JSONValue): string {
  const taskId = typeof operation === 'object' && operation !== null && 'taskId' in operation ? operation.taskId : undefined
  if (typeof taskId === 'string') return taskId
  throw new InvalidArgumentError({ argument: 'operation', message: 'The operation is none of Filmgate: it has no taskId.' })
}

function failureText({ id, error, credits_used, credits_refunded }: VideoTask): string {
  const { code, message } = error ?? { code: 'generation_failed', message: 'The generation failed.' }
  return `${message} (${code}; task ${id}; ${credits_refunded} of ${credits_used} credits are returned)`
}

const create = (api: Api, { idempotencyKey, beside }: Call, request: Native, signal: AbortSignal | undefined): Promise<VideoTask> =>
  // The API checks what the types can't: native fields come as the caller wrote them.
  api.client.create(request as unknown as VideoGenerationRequest, { idempotencyKey, signal, ...beside })

/** The AI SDK makes a key a start, and none for doGenerate: so each of its calls has one here, the same at each retry. */
function callOf({ calls, webhooks }: Context, options: StartOptions): Call {
  const known = calls.get(options)
  if (known) return known
  const { idempotencyKey, tags, cancelAfterSeconds, ...native } = (options.providerOptions.filmgate ?? {}) as FilmgateVideoOptions & Native
  const sent = Object.entries(options.headers ?? {}).find(([name]) => name.toLowerCase() === 'idempotency-key')?.[1]
  const key = idempotencyKey ?? sent ?? `aisdk_${crypto.randomUUID()}`
  const waiter = options.webhookUrl === undefined ? undefined : webhooks.claim(options.webhookUrl)
  const call = { idempotencyKey: key, native, beside: { tags, cancelAfterSeconds }, waiter }
  calls.set(options, call)
  return call
}

/** Built once a call: bytes that are uploaded twice have two URLs, and the retry would be another request. */
async function builtOf({ settings, modelId }: Context, api: Api, call: Call, options: StartOptions): Promise<Built> {
  if (call.built) return call.built
  const card = await settings.findCard(api.client, modelId, options.abortSignal)
  const urlOf = fileUrl(api.client, options.abortSignal)
  call.built = await buildRequest({ modelId, card, options, native: call.native, urlOf })
  return call.built
}
