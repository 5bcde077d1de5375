import { context, propagation, ROOT_CONTEXT, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { Elysia } from 'elysia'
import type { Log } from '../telemetry/log'
import { counter, histogram, late } from '../telemetry/metrics'

const seconds = histogram(
  'http_request_seconds',
  'Time to answer a request',
  [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 260],
)
const classes = ['2xx', '3xx', '4xx', '5xx'] as const
/** There at 0 for each route: of the histogram each series is born with the first request of its route and status. */
const answered = counter('http_requests', 'Requests answered, by route, method and the class of their status', {
  route: late,
  method: late,
  class: classes,
})
const unmatched = { route: 'unmatched', method: 'other' }
const counted = new Set<string>()
const tracer = trace.getTracer('filmgate')
const probes = new Set(['/healthz', '/readyz', '/metrics'])
type Running = { span: Span; startedAt: number; notes: Record<string, string>; refusal?: object }

/** A request and what it was answered. `notes` and `refusal` are what `noteRequest` and `noteRefusal` said of it; `requestId` is 32 hex digits. */
export type Answered = {
  request: Request
  /** As the application declares it, such as /tasks/:id. */
  route: string
  status: number
  ms: number
  requestId: string
  notes: Readonly<Record<string, string>>
  refusal?: object | undefined
}
const running = new WeakMap<Request, Running>()

/**
 * Counts the requests of each route of `app` by itself, once all routes are joined. All others count as one, so that callers who make up
 * paths and methods make no series.
 */
export function countRoutes<App extends { routes: { method: string; path: string }[] }>(app: App): App {
  const all = app.routes
    .filter(({ method, path }) => method !== 'ALL' && !probes.has(path))
    .map(({ method, path }) => ({ method, route: path }))
  for (const { method, route } of [...all, unmatched]) {
    answered.declare({ route: [route], method: [method] })
    counted.add(`${method} ${route}`)
  }
  return app
}

/** Adds to the request's line in the log what only its route knows: never a secret, nor what a client wrote. */
export function noteRequest(request: Request, notes: Record<string, string>): void {
  Object.assign(running.get(request)?.notes ?? {}, notes)
}

/** Keeps the body of a refusal, with its code, for whoever is told of answers. */
export function noteRefusal(request: Request, code: string, body: object): void {
  const entry = running.get(request)
  if (!entry) return
  entry.notes.code = code
  entry.refusal = body
}

/**
 * A server span a request, child of the caller's traceparent; its time by route and status; and one line in the log, by which whoever asks
 * about an answer is found. What the request starts belongs to its span. `onAnswered` is called after each answer but those to probes.
 */
export function spans(log: Log, onAnswered?: (answered: Answered) => void) {
  // Every field of these lines is ours, and looking through them for secrets by name costs more than writing them.
  const lines = log.child({}, { redact: [] })
  return (
    new Elysia({ name: 'spans' })
      .wrap((handle, request) => {
        const parent = request.headers.get('traceparent')
        const base = parent ? propagation.extract(ROOT_CONTEXT, { traceparent: parent }) : ROOT_CONTEXT
        const span = tracer.startSpan('request', { kind: SpanKind.SERVER }, base)
        running.set(request, { span, startedAt: performance.now(), notes: {} })
        return context.bind(trace.setSpan(base, span), handle)
      })
      // Whoever asks about an answer can name it, and its trace is found.
      .onRequest(function nameAnswer({ request, set }) {
        const traceId = running.get(request)?.span.spanContext().traceId
        if (traceId) set.headers['x-request-id'] = traceId
      })
      .onAfterResponse({ as: 'global' }, function endSpan({ request, route, set }) {
        const entry = running.get(request)
        if (!entry) return
        const status = typeof set.status === 'number' ? set.status : 200
        const name = route || 'unmatched'
        const { method } = request
        entry.span.updateName(`${method} ${name}`)
        entry.span.setAttributes({ 'http.request.method': method, 'http.route': name, 'http.response.status_code': status })
        if (status >= 500) entry.span.setStatus({ code: SpanStatusCode.ERROR })
        entry.span.end()
        if (probes.has(name)) return
        const ms = performance.now() - entry.startedAt
        const labels = counted.has(`${method} ${name}`) ? { route: name, method } : unmatched
        answered.add(1, { ...labels, class: classes[Math.floor(status / 100) - 2] ?? '5xx' })
        seconds.record(ms / 1_000, { ...labels, status })
        const { traceId } = entry.span.spanContext()
        lines.info({ method, route: name, status, duration_ms: Math.round(ms * 10) / 10, trace_id: traceId, ...entry.notes }, 'answered')
        onAnswered?.({ request, route: name, status, ms, requestId: traceId, notes: entry.notes, refusal: entry.refusal })
      })
  )
}
