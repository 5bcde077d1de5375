import { type Attributes, metrics } from '@opentelemetry/api'
import { PrometheusExporter, PrometheusSerializer } from '@opentelemetry/exporter-prometheus'
import { MeterProvider } from '@opentelemetry/sdk-metrics'
import { withDeadline } from '../deadline'

// Collected when /metrics is asked for; the exporter's own server is not wanted.
const reader = new PrometheusExporter({ preventServerStart: true })
const provider = new MeterProvider({ readers: [reader] })
metrics.setGlobalMeterProvider(provider)
const meter = provider.getMeter('filmgate')
const serializer = new PrometheusSerializer('', false, undefined, true, true)

/** What a label may say; `late` where that is known only once the process runs. */
type Labels = Record<string, readonly (string | boolean)[]>
type AttributesOf<L extends Labels> = { [K in keyof L]: L[K][number] }
type ValuesOf<L extends Labels> = { [K in keyof L]?: readonly L[K][number][] }
export type Counter<L extends Labels> = {
  add: keyof L extends never ? (value?: number) => void : (value: number, attributes: AttributesOf<L>) => void
  /** Shows at 0 what the late labels may say. */
  declare(values: ValuesOf<L>): void
}

export const late: readonly string[] = []
const declarations: { lateLabels: string[]; declare(values: Labels): void }[] = []

/**
 * Counts up. Name without `_total`; the exposition adds it. Every combination of its labels' values is there at 0 from the start, because
 * an increase() over a series that is born at 1 is 0 and the first event would never alert.
 */
export function counter<const L extends Labels = Record<never, never>>(name: string, description: string, labels: L = {} as L): Counter<L> {
  const instrument = meter.createCounter(name, { description })
  const declare = (values: Labels) => {
    for (const attributes of combinations({ ...labels, ...values })) instrument.add(0, attributes)
  }
  declare({})
  declarations.push({ lateLabels: Object.keys(labels).filter(label => labels[label]?.length === 0), declare })
  const add = (value = 1, attributes: Attributes = {}) => instrument.add(value, attributes)
  return { add: add as Counter<L>['add'], declare: declare as Counter<L>['declare'] }
}

/** What late labels were declared to say, so far. */
const declared = new Map<string, Set<string>>()

/** Declares what a label may say, for every counter that has it and whose other late labels are declared too. */
export function declareValues(label: string, values: readonly string[]): void {
  declared.set(label, new Set([...(declared.get(label) ?? []), ...values]))
  for (const { lateLabels, declare } of declarations) {
    if (!lateLabels.includes(label) || !lateLabels.every(one => declared.has(one))) continue
    const all = Object.fromEntries(lateLabels.map(one => [one, [...(declared.get(one) ?? [])]]))
    declare({ ...all, [label]: values })
  }
}

const combinations = (labels: Labels): Attributes[] =>
  Object.entries(labels).reduce<Attributes[]>(
    (some, [label, values]) => some.flatMap(attributes => values.map(value => ({ ...attributes, [label]: value }))),
    [{}],
  )

/** Times and sizes; `buckets` in the unit the name ends with. */
export function histogram(name: string, description: string, buckets: number[]) {
  const instrument = meter.createHistogram(name, { description, advice: { explicitBucketBoundaries: buckets } })
  return { record: (value: number, attributes: Attributes = {}) => instrument.record(value, attributes) }
}

type Reading = number | { value: number; attributes: Attributes }[]

/** Less than a scrape waits. */
const readTimeoutMs = 5_000
const failing = new Map<string, boolean>()

/**
 * Read when asked for. A reading that fails, or that a frozen backend holds up, is left out, so that it does not hide the rest, and
 * `gauge_failing` says so. One that still waits is not begun a second time.
 */
export function gauge(name: string, description: string, read: () => Reading | Promise<Reading>): void {
  let underWay: Promise<Reading> | undefined
  async function readBounded(): Promise<Reading> {
    underWay ??= (async () => read())().finally(() => {
      underWay = undefined
    })
    try {
      const reading = await withDeadline(underWay, readTimeoutMs, name)
      failing.set(name, false)
      return reading
    } catch (error) {
      failing.set(name, true)
      throw error
    }
  }
  failing.set(name, false)
  meter.createObservableGauge(name, { description }).addCallback(async result => {
    const reading = await readBounded()
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
meter.createObservableGauge('gauge_failing', { description: '1 where the last scrape could not read a gauge' }).addCallback(result => {
  for (const [name, fails] of failing) result.observe(fails ? 1 : 0, { gauge: name })
})
