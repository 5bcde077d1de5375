import { context, propagation, ROOT_CONTEXT, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { Elysia } from 'elysia'
import { counter, histogram } from './metrics'

const seconds = histogram(
  'http_request_seconds',
  'Time to answer a request',
  [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 260],
)
const classes = ['1xx', '2xx', '3xx', '4xx', '5xx'] as const
/** A series a class, there from the start: of the histogram each is born with the first request of its route and status. */
const answered = counter('http_requests', 'Requests answered, by the class of their status', { class: classes })
const tracer = trace.getTracer('filmgate')
const probes = new Set(['/healthz', '/readyz', '/metrics'])
const running = new WeakMap<Request, { span: Span; startedAt: number }>()

/** A server span a request, child of the caller's traceparent, and its time by route and status. What the request starts belongs to its span. */
export const spans = new Elysia({ name: 'spans' })
  .wrap((handle, request) => {
    const parent = request.headers.get('traceparent')
    const base = parent ? propagation.extract(ROOT_CONTEXT, { traceparent: parent }) : ROOT_CONTEXT
    const span = tracer.startSpan('request', { kind: SpanKind.SERVER }, base)
    running.set(request, { span, startedAt: performance.now() })
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
    entry.span.updateName(`${request.method} ${name}`)
    entry.span.setAttributes({ 'http.request.method': request.method, 'http.route': name, 'http.response.status_code': status })
    if (status >= 500) entry.span.setStatus({ code: SpanStatusCode.ERROR })
    entry.span.end()
    if (probes.has(name)) return
    answered.add(1, { class: classes[Math.floor(status / 100) - 1] ?? '5xx' })
    seconds.record((performance.now() - entry.startedAt) / 1_000, { route: name, method: request.method, status })
  })
