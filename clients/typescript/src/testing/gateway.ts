import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TaskEvent, VideoTask } from '../generated.ts'

export type Seen = { method: string; path: string; headers: IncomingMessage['headers']; body: string }
/** Answers instead of the gateway where it returns true. */
export type Instead = (seen: Seen, answer: ServerResponse) => boolean | undefined

export const video = Buffer.from(Array.from({ length: 400 }, (_, index) => index % 251))

/**
 * A server of the few routes that a generation needs, with their real shapes: a key is one task, events are resumed by Last-Event-ID, and the video
 * has ranges. `seen` is what came; `instead` answers first.
 */
export async function startGateway(instead?: Instead) {
  const tasks = new Map<string, VideoTask>()
  const seen: Seen[] = []
  const state = { instead, streams: true, completeAfterReads: 0 }
  const server = createServer(async (request, answer) => {
    const chunks: Buffer[] = []
    try {
      for await (const chunk of request) chunks.push(chunk)
    } catch {
      return
    }
    const url = new URL(request.url ?? '/', 'http://gateway')
    const { method = 'GET', headers } = request
    const entry = { method, path: `${url.pathname}${url.search}`, headers, body: Buffer.concat(chunks).toString() }
    seen.push(entry)
    if (state.instead?.(entry, answer)) return
    if (url.pathname === '/video.mp4') return sendVideo(entry, answer)
    const id = /^\/api\/v1\/tasks\/([^/]+)/.exec(url.pathname)?.[1]
    if (method === 'POST' && url.pathname === '/api/v1/video/generations') return post(entry, answer)
    const task = [...tasks.values()].find(task => task.id === id)
    if (!task) return refuse(answer, 404, 'task_not_found')
    if (url.pathname.endsWith('/events')) return sendEvents(task, entry, answer)
    if (state.completeAfterReads-- <= 0) Object.assign(task, ended(task.id, baseOf(entry)))
    return json(answer, 200, task, task.status === 'processing' ? { 'retry-after': '10' } : {})
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  function post({ headers }: Seen, answer: ServerResponse) {
    const key = String(headers['idempotency-key'])
    const known = tasks.get(key)
    const task = known ?? processing(`vt_${tasks.size + 1}`)
    tasks.set(key, task)
    json(answer, known ? 200 : 202, task, known ? { 'idempotent-replayed': 'true' } : { 'retry-after': '10' })
  }

  function sendEvents(task: VideoTask, entry: Seen, answer: ServerResponse) {
    const after = Number(entry.headers['last-event-id'] ?? 0)
    if (!state.streams) return json(answer, 200, { object: 'list', data: [] })
    if (after >= steps.length) return void answer.writeHead(204).end()
    answer.writeHead(200, { 'content-type': 'text/event-stream', connection: 'close' })
    const texts = steps.slice(after).map(event => `id: ${event.id}\ndata: ${JSON.stringify(event)}\n\n`)
    Object.assign(task, ended(task.id, baseOf(entry)))
    // In one piece: the bytes of an exchange are the same each time.
    answer.end(`retry: 1\n\n:\n\n${texts.join('')}`)
  }

  return {
    url: urlOf(port),
    port,
    tasks,
    seen,
    state,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}

export const urlOf = (port: number) => `http://127.0.0.1:${port}/api/v1`

/** The address that this client came to: a proxy's, where there is one. */
const baseOf = ({ headers }: Seen) => `http://${headers.host}`

const at = '2026-11-26T12:00:00.000Z'

const steps: TaskEvent[] = [
  { id: '1', type: 'queued', at, credits_used: 40 },
  { id: '2', type: 'accepted', at },
  { id: '3', type: 'running', at, percent: 50 },
  { id: '4', type: 'copying', at },
  { id: '5', type: 'completed', at, credits_used: 40, credits_refunded: 0 },
]

export const processing = (id: string): VideoTask => ({
  ...{ id, status: 'processing', model: 'alpha-h3', mode: 'text-to-video', credits_used: 40, credits_refunded: 0 },
  ...{ output: null, error: null, created_at: at, updated_at: at, billing_status: 'reserved' },
})

export const ended = (id: string, base: string): VideoTask => ({
  ...processing(id),
  ...{ status: 'completed', billing_status: 'settled', output: { video_url: `${base}/video.mp4` } },
})

export function json(answer: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): true {
  const text = JSON.stringify(body)
  const length = String(Buffer.byteLength(text))
  answer.writeHead(status, { 'content-type': 'application/json', 'content-length': length, 'x-request-id': 'a'.repeat(32), ...headers })
  answer.end(text)
  return true
}

export const refuse = (answer: ServerResponse, status: number, code: string, more: { details?: object; retryAfter?: string } = {}): true =>
  json(
    answer,
    status,
    { error: { code, message: `refused: ${code}`, ...(more.details && { details: more.details }) } },
    more.retryAfter === undefined ? {} : { 'retry-after': more.retryAfter },
  )

function sendVideo({ headers }: Seen, answer: ServerResponse) {
  const from = Number(/^bytes=(\d+)-$/.exec(String(headers.range))?.[1] ?? 0)
  const part = video.subarray(from)
  answer.writeHead(from > 0 ? 206 : 200, {
    ...{ 'content-type': 'video/mp4', etag: '"v1"', 'content-length': String(part.length) },
    ...(from > 0 && { 'content-range': `bytes ${from}-${video.length - 1}/${video.length}` }),
  })
  answer.end(part)
}
