import { FilmgateError } from '../error.ts'
import type { TaskEvent } from '../generated.ts'
import { type Connection, segment } from '../http/connection.ts'
import { eventStreamReader } from '../http/event-stream.ts'
import { endOf, type Limit, leftMs, pause } from '../http/limit.ts'
import { isRecord, notReached, parsed, refusal } from '../http/refusal.ts'
import { retryAfterOf, retryDelayMs } from '../http/retry.ts'
import { open, readText } from '../http/send.ts'
import { type BodyReader, watchdog } from '../http/watchdog.ts'

/** Where a reader of a task's events is. */
export type Place = { after: number; retryMs: number }

/** How one stream ended: all is told, it was cut or ended before, the key holds all its streams, or this server (or a proxy) has none. */
export type StreamEnd = 'last' | 'cut' | 'crowded' | 'unsupported'

const connectMs = 30_000
/** The server says something every 15 s. */
const silentMs = 45_000
const bytesMax = 16_777_216
const failuresMax = 30

export const firstPlace = (after = 0): Place => ({ after, retryMs: 2_000 })

/** The events of one connection behind `place`, which moves with them. Refusals (401, 404, …) are thrown; a cut is an end. */
export async function* streamOnce(connection: Connection, id: string, place: Place, limit: Limit): AsyncGenerator<TaskEvent, StreamEnd> {
  const dog = watchdog(limit.signal)
  const allow = (ms: number) => dog.allow(Math.max(0, Math.min(ms, leftMs(limit))))
  let body: BodyReader | undefined
  connection.held++
  try {
    allow(connectMs)
    const headers = { accept: 'text/event-stream', ...(place.after > 0 && { 'last-event-id': String(place.after) }) }
    const response = await dog.race(open(connection, { path: `/tasks/${segment(id)}/events`, headers }, dog.signal))
    if (response.status === 204) return 'last'
    if (!/^text\/event-stream\b/i.test(response.headers.get('content-type') ?? ''))
      return withoutStream(connection, response, await readText(response, dog), place, limit)
    body = response.body?.getReader()
    const decoder = new TextDecoder()
    const reader = eventStreamReader(ms => {
      place.retryMs = Math.min(ms, connectMs)
    })
    for (let bytes = 0; body && bytes < bytesMax; ) {
      allow(silentMs)
      const { done, value } = await dog.race(body.read())
      if (done || !value) return 'cut'
      bytes += value.byteLength
      for (const { data } of reader.push(decoder.decode(value, { stream: true }))) {
        const event = taskEventOf(data)
        if (!event || Number(event.id) <= place.after) continue
        place.after = Number(event.id)
        yield event
        if (event.type === 'completed' || event.type === 'refunded') return 'last'
      }
    }
    return 'cut'
  } catch (error) {
    if (error instanceof FilmgateError) throw error
    return 'cut'
  } finally {
    connection.held--
    dog.close()
    // Ends the connection of a stream that its reader has left.
    body?.cancel().catch(() => {})
  }
}

/** What a server says that streams nothing: to be read again later, or a refusal. */
function withoutStream(connection: Connection, response: Response, text: string, place: Place, limit: Limit): StreamEnd {
  const error = refusal(connection, response, parsed(text), limit)
  if (response.status === 429 || response.status >= 500) {
    place.retryMs = (retryAfterOf(response.headers.get('retry-after')) ?? 2) * 1_000
    const details: unknown = error.details
    return isRecord(details) && details.limit === 'event_streams' ? 'crowded' : 'cut'
  }
  if (response.status === 401 || error.code === 'task_not_found' || error.code === 'invalid_task_id') throw error
  return 'unsupported'
}

function taskEventOf(data: string): TaskEvent | undefined {
  const event = parsed(data) as Partial<TaskEvent> | undefined
  return typeof event?.type === 'string' && /^\d{1,9}$/.test(String(event.id)) ? (event as TaskEvent) : undefined
}

/** Every event of a task behind `after`, over as many connections as it takes, until its last one. */
export async function* followTask(connection: Connection, id: string, after: number, limit: Limit): AsyncGenerator<TaskEvent, void> {
  const place = firstPlace(after)
  for (let failures = 0; ; ) {
    const before = place.after
    const end = yield* streamOnce(connection, id, place, limit)
    if (end === 'last') return
    const over = endOf(limit)
    if (over) throw over
    if (end === 'unsupported') throw notReached(new Error('no event stream came'), limit)
    failures = place.after > before ? 0 : failures + 1
    if (!limit.chosen && failures > failuresMax) throw notReached(new Error('the event stream breaks each time'), limit)
    await pause(Math.max(place.retryMs, failures > 1 ? retryDelayMs(failures, undefined) : 0), limit)
  }
}
