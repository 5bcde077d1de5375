import {
  type Attributes,
  context,
  isSpanContextValid,
  propagation,
  ROOT_CONTEXT,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { BatchSpanProcessor, ParentBasedSampler, TraceIdRatioBasedSampler, TracerProvider } from '@opentelemetry/sdk-trace'

export type Tracing = { stop(): Promise<void> }

/**
 * Gives every request a trace id, and exports sampled spans by OTLP/HTTP where an endpoint is configured. Spans are kit's own:
 * auto-instrumentation sees almost nothing of ESM imports under Bun.
 */
export function startTracing({
  service,
  endpoint,
  sampleRatio,
}: {
  service: string
  endpoint: string | undefined
  sampleRatio: number
}): Tracing {
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': service }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(endpoint ? sampleRatio : 0) }),
    spanProcessors: endpoint
      ? [new BatchSpanProcessor({ exporter: new OTLPTraceExporter({ url: `${endpoint.replace(/\/$/, '')}/v1/traces` }) })]
      : [],
  })
  trace.setGlobalTracerProvider(provider)
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  propagation.setGlobalPropagator(new W3CTraceContextPropagator())
  return { stop: () => provider.shutdown() }
}

const tracer = trace.getTracer('filmgate')

export type SpanOptions = {
  kind?: 'server' | 'client' | 'producer' | 'consumer' | 'internal'
  parent?: string | undefined
  attributes?: Attributes
}

const kinds = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
  internal: SpanKind.INTERNAL,
}

/** Runs `work` in a span. `parent` is a W3C traceparent; without it the span belongs to whatever is running. */
export async function withSpan<T>(
  name: string,
  { kind = 'internal', parent, attributes }: SpanOptions,
  work: () => Promise<T>,
): Promise<T> {
  const base = parent ? propagation.extract(ROOT_CONTEXT, { traceparent: parent }) : context.active()
  const span = tracer.startSpan(name, { kind: kinds[kind], ...(attributes && { attributes }) }, base)
  try {
    return await context.with(trace.setSpan(base, span), work)
  } catch (error) {
    span.setStatus({ code: SpanStatusCode.ERROR })
    if (error instanceof Error) span.recordException(error)
    throw error
  } finally {
    span.end()
  }
}

export type OpenSpan = {
  /** For what is caused by it. */
  traceparent: string
  end(error?: unknown): void
}

/** A span of one of many things done together, as a child of `parent`; nothing, and no cost, where `parent` was not sampled. */
export function openSpan(name: string, { kind = 'internal', parent, attributes }: SpanOptions): OpenSpan | undefined {
  if (!parent || (Number.parseInt(parent.slice(-2), 16) & 1) === 0) return undefined
  const span = tracer.startSpan(
    name,
    { kind: kinds[kind], ...(attributes && { attributes }) },
    propagation.extract(ROOT_CONTEXT, { traceparent: parent }),
  )
  return {
    // Without a tracer of its own a process passes on what it got.
    traceparent: isSpanContextValid(span.spanContext()) ? traceparentOf(span.spanContext()) : parent,
    end(error) {
      if (error !== undefined) span.setStatus({ code: SpanStatusCode.ERROR })
      if (error instanceof Error) span.recordException(error)
      span.end()
    },
  }
}

const traceparentOf = ({ traceId, spanId, traceFlags }: SpanContext): string => `00-${traceId}-${spanId}-0${traceFlags & 1}`

/** The running span as a W3C traceparent, to travel with a message. */
export function traceparent(): string | undefined {
  const span = trace.getActiveSpan()?.spanContext()
  return span && traceparentOf(span)
}
