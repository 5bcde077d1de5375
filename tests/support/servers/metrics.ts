import { settings } from '../settings'

export type Sample = { metric: string; labels: Record<string, string>; value: number }

/** What the console shows only where credits are sold: the stack sells none, tests/e2e/console/payments.test.ts does. */
export const salesMetrics = [
  'payment_changes_waiting_seconds',
  'purchases_in_review',
  'payments_unmatched',
  'payments_audit_findings',
  'payments_audit_age_seconds',
  'payments_reconciled_age_seconds',
  'payment_events_unapplied_seconds',
  'jobs_failed_total',
  'jobs_lost_total',
]

/** What a service shows a scrape. */
export async function scrape(url: string): Promise<Sample[]> {
  const response = await fetch(url, { signal: AbortSignal.timeout(10_000) })
  return readSamples(await response.text())
}

/** Of every service of the pipeline. */
export const scrapeAll = async (): Promise<Sample[]> => (await Promise.all(settings.metricsUrls.map(({ url }) => scrape(url)))).flat()

const sample = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)$/
const label = /(\w+)="((?:[^"\\]|\\.)*)"/g

const readSamples = (text: string): Sample[] =>
  text.split('\n').flatMap(line => {
    const [, metric, labels = '', value] = sample.exec(line) ?? []
    if (!metric) return []
    return [{ metric, labels: Object.fromEntries([...labels.matchAll(label)].map(([, name, text]) => [name, text])), value: Number(value) }]
  })
