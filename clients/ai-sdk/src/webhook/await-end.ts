import type { Experimental_VideoModelV4OperationWebhook } from '@ai-sdk/provider'
import { FilmgateError } from '@filmgate/client'
import type { Api } from '../api/open-api.ts'
import { tellsEnd } from './callback.ts'

type Call = Experimental_VideoModelV4OperationWebhook
/** Without a secret there are no webhooks, and the task is read. */
type Started = { api: Api; taskId: string; secret: string | undefined; signal: AbortSignal | undefined }
/** Tells a waiting call of the AI SDK which task was started for it. */
export type Waiter = (started: Started) => void
export type Webhooks = ReturnType<typeof createWebhooks>

const readWithoutWebhooksMs = 10_000
/** The AI SDK waits for ten minutes by default, tells no longer `poll.timeoutMs` and not when it gives up. */
const readForMs = 3_600_000
/** So that few reads follow a call that has given up: each pause is at least this share of the time that has passed. */
const pauseShare = 0.1

/** Joins the URLs that the AI SDK has made with the starts that come for them after that. */
export function createWebhooks() {
  const expected = new Map<string, Waiter[]>()
  return {
    expect: (url: string) =>
      new Promise<Started>(resolve => {
        expected.set(url, [...(expected.get(url) ?? []), resolve])
      }),
    /** Who waits for what the URL is told, once: the call keeps it over its retries, and a call that fails leaves nobody here. */
    claim(url: string): Waiter | undefined {
      const [first, ...others] = expected.get(url) ?? []
      if (others.length > 0) expected.set(url, others)
      else expected.delete(url)
      return first
    },
  }
}

/**
 * Once the task of a start has ended: by its signed webhook, or by reading the task now and then, where that is late, forged or about
 * another task. The AI SDK reads the task once after that, and bounds the wait by `poll.timeoutMs`. Throws where the task may not be read.
 */
export async function awaitEnd(start: Promise<Started>, received: PromiseLike<Call>): Promise<Call> {
  const arrival = Promise.resolve(received)
  // It may fail before the task has started, when nobody looks at it yet.
  arrival.catch(() => {})
  const { api, taskId, secret, signal } = await start
  const over = new AbortController()
  const verify = async (call: Call) => (secret !== undefined && (await tellsEnd(call, secret, taskId)) ? call : undefined)
  const told = arrival.then(verify).catch(() => undefined)
  const everyMs = secret === undefined ? readWithoutWebhooksMs : api.webhookFallbackMs
  const stop = signal ? AbortSignal.any([signal, over.signal]) : over.signal
  const read = readUntilEnded(api, taskId, everyMs, stop).then(ended => (ended ? { headers: {}, body: { taskId } } : undefined))
  try {
    const end = await Promise.race([told.then(call => call ?? read), read.then(call => call ?? told)])
    if (end) return end
    throw new Error(`No webhook told the end of the task ${taskId}, and it did not end within an hour.`)
  } catch (error) {
    throw api.callError(error, { request: { taskId }, signal })
  } finally {
    over.abort()
  }
}

/** False where that takes longer than anybody is expected to wait. */
async function readUntilEnded({ client }: Api, taskId: string, everyMs: number, stop: AbortSignal): Promise<boolean> {
  const startedAt = Date.now()
  for (let passedMs = 0; passedMs < readForMs; passedMs = Date.now() - startedAt) {
    await pause(Math.max(everyMs, passedMs * pauseShare), stop)
    const task = await client.tasks.get(taskId, { signal: stop }).catch(unlessRefused)
    stop.throwIfAborted()
    if (task && task.status !== 'processing') return true
  }
  return false
}

/** Whatever else fails may go well the next time. */
function unlessRefused(error: unknown): undefined {
  if (error instanceof FilmgateError && [401, 403, 404].includes(error.status ?? 0)) throw error
}

/** Keeps no process alive: the AI SDK's own timer does, as long as anybody waits. */
function pause(ms: number, stop: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer)
      reject(stop.reason)
    }
    const timer = setTimeout(() => {
      stop.removeEventListener('abort', end)
      resolve()
    }, ms)
    // A worker's timer is a number.
    ;(timer as { unref?(): void }).unref?.()
    if (stop.aborted) end()
    else stop.addEventListener('abort', end, { once: true })
  })
}
