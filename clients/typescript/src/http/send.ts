import { FilmgateError } from '../error.ts'
import type { Connection } from './connection.ts'
import { endOf, type Limit, leftMs, outageMs, pause, timedOut } from './limit.ts'
import { isRecord, notReached, parsed, refusal } from './refusal.ts'
import { mayRepeat, type Repeat, retryDelayMs } from './retry.ts'
import { type BodyReader, type Watchdog, watchdog } from './watchdog.ts'

export type Call = {
  method?: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  path: string
  query?: object | undefined
  headers?: Record<string, string> | undefined
  /** JSON, written once: a retry sends the same bytes. */
  body?: string | undefined
  repeat?: Repeat | undefined
  /** Whether it makes a task: its errors then say whether one may be there. */
  creates?: boolean | undefined
  /** How long one attempt may take. */
  attemptMs?: number | undefined
}

export type Answer<T> = { body: T; status: number; headers: Headers; attempts: number }

const attemptMsDefault = 30_000
/** The longest answer, that of GET /models, is a hundredth of it. */
const answerBytesMax = 33_554_432
/** A server that has never answered may have another address. */
const unreachedMs = 45_000
/** One attempt may have taken all of that time. */
const attemptsOfOutageMin = 3

/** One call with its retries. Throws a FilmgateError: what the API refused, or why there is no answer. */
export async function send<T>(connection: Connection, call: Call, given: Limit): Promise<Answer<T>> {
  let silentSince = performance.now()
  const limit = { ...given }
  for (let attempts = 1; ; attempts++) {
    const before = endOf(limit)
    if (before) throw before
    const error = await attempt<T>(connection, call, limit).catch((error: unknown) => asFilmgateError(error))
    if (!(error instanceof FilmgateError)) return { ...error, attempts }
    if (call.creates) limit.outcomeUnknown = error.outcomeUnknown
    const over = endOf(limit, error)
    if (over) throw over
    if (!mayRepeat(error, call.repeat ?? 'any', attempts)) throw error
    const now = performance.now()
    if (error.status === 429) silentSince = now
    const isOutage = now - silentSince > (connection.reached ? outageMs : unreachedMs)
    if (!limit.chosen && isOutage && attempts >= attemptsOfOutageMin) throw error
    const delayMs = retryDelayMs(attempts, error.retryAfterSeconds)
    if (delayMs > leftMs(limit)) throw error.status === undefined ? timedOut(limit, error) : error
    connection.onRetry?.({ error, attempt: attempts, delayMs })
    await pause(delayMs, limit, error)
  }
}

const asFilmgateError = (error: unknown): FilmgateError => {
  if (error instanceof FilmgateError) return error
  throw error
}

/** The answer where it is a 2xx; throws a FilmgateError otherwise. */
async function attempt<T>(connection: Connection, call: Call, limit: Limit): Promise<Omit<Answer<T>, 'attempts'>> {
  const dog = watchdog(limit.signal)
  dog.allow(Math.max(0, Math.min(call.attemptMs ?? attemptMsDefault, leftMs(limit))))
  try {
    const response = await dog.race(open(connection, call, dog.signal))
    const text = await readText(response, dog)
    connection.reached ||= response.headers.has('x-request-id')
    return { body: bodyOf<T>(connection, call, { response, text }, limit), status: response.status, headers: response.headers }
  } catch (error) {
    if (error instanceof FilmgateError) throw error
    throw notReached(error, { ...limit, outcomeUnknown: call.creates })
  } finally {
    dog.close()
  }
}

/** Sends the key to the API alone: a redirect is an answer, and is not followed. */
export function open(connection: Connection, { method = 'GET', path, query, headers, body }: Call, signal: AbortSignal): Promise<Response> {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query ?? {})) if (value !== undefined) parameters.append(name, String(value))
  const search = parameters.size > 0 ? `?${parameters}` : ''
  return connection.fetch(`${connection.baseUrl}${path}${search}`, {
    method,
    headers: {
      accept: 'application/json',
      authorization: connection.authorization,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body }),
    redirect: 'manual',
    signal,
  })
}

/** The body, as long as it is none that would fill the memory. */
export async function readText(response: Response, dog: Watchdog): Promise<string> {
  const reader: BodyReader | undefined = response.body?.getReader()
  const decoder = new TextDecoder()
  let text = ''
  for (let bytes = 0; reader; ) {
    const { done, value } = await dog.race(reader.read())
    if (done || !value) break
    bytes += value.byteLength
    if (bytes > answerBytesMax) {
      reader.cancel().catch(() => {})
      throw new Error(`the answer has more than ${answerBytesMax} bytes`)
    }
    text += decoder.decode(value, { stream: true })
  }
  return text + decoder.decode()
}

function bodyOf<T>(connection: Connection, { creates }: Call, { response, text }: { response: Response; text: string }, limit: Limit): T {
  if (response.status === 204) return undefined as T
  const body = parsed(text)
  const isJson = /\bjson\b/.test(response.headers.get('content-type') ?? '')
  if (!response.ok || !isJson) throw refusal(connection, response, body, limit, creates)
  if (!isRecord(body)) throw notReached(new Error('the answer is cut'), { ...limit, outcomeUnknown: creates })
  return body as T
}
