import { type Attributes, metrics } from '@opentelemetry/api'
import { PrometheusExporter, PrometheusSerializer } from '@opentelemetry/exporter-prometheus'
import { MeterProvider } from '@opentelemetry/sdk-metrics'

// Collected when /metrics is asked for; the exporter's own server is not wanted.
const reader = new PrometheusExporter({ preventServerStart: true })
const provider = new MeterProvider({ readers: [reader] })
metrics.setGlobalMeterProvider(provider)
const meter = provider.getMeter('filmgate')
const serializer = new PrometheusSerializer('', false, undefined, true, true)

/** Counts up. Name without `_total`; the exposition adds it. */
export function counter(name: string, description: string) {
  const instrument = meter.createCounter(name, { description })
  return { add: (value = 1, attributes: Attributes = {}) => instrument.add(value, attributes) }
}

/** Times and sizes; `buckets` in the unit the name ends with. */
export function histogram(name: string, description: string, buckets: number[]) {
  const instrument = meter.createHistogram(name, { description, advice: { explicitBucketBoundaries: buckets } })
  return { record: (value: number, attributes: Attributes = {}) => instrument.record(value, attributes) }
}

type Reading = number | { value: number; attributes: Attributes }[]

/** Read when asked for. A reading that fails is left out, so that one dead backend does not hide the rest. */
export function gauge(name: string, description: string, read: () => Reading | Promise<Reading>): void {
  meter.createObservableGauge(name, { description }).addCallback(async result => {
    const reading = await read()
    for (const { value, attributes } of typeof reading === 'number' ? [{ value: reading, attributes: {} }] : reading)
      result.observe(value, attributes)
  })
}

/** The Prometheus exposition of everything counted. */
export async function metricsText(): Promise<string> {
  const { resourceMetrics } = await reader.collect()
  return serializer.serialize(resourceMetrics)
}

gauge('process_resident_memory_bytes', 'Resident memory of this process', () => process.memoryUsage.rss())
gauge('process_uptime_seconds', 'Seconds since this process started', () => process.uptime())
