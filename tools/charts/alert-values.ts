import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { YAML } from 'bun'
import { root } from '../stack/instance'
import { boolean, integer, map, nonEmptyText, object, oneOf, type Schema, text } from './schema-types'

/** The thresholds in the chart's own values. */
export function thresholdNames(): string[] {
  const values = YAML.parse(readFileSync(join(root, 'charts/filmgate/values.yaml'), 'utf8')) as { alerts: { thresholds: object } }
  return Object.keys(values.alerts.thresholds)
}

const share: Schema = { type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 1 }
/** A number of seconds is a boundary of its histogram's buckets: http_request_seconds, ledger_completion_seconds, ledger_refund_seconds. */
const objectives = object({
  availability: object({ share }),
  posts: object({ share, seconds: oneOf(1, 2.5, 5, 10, 30, 60) }),
  completions: object({ share, seconds: oneOf(5, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 14_400) }),
  refunds: object({ share, seconds: oneOf(0.5, 1, 2.5, 5, 10, 30, 60, 300, 600, 3_600) }),
})
const threshold: Schema = { type: 'number', minimum: 0 }
const alertRule = object({
  enabled: boolean,
  severity: nonEmptyText,
  for: { type: 'string', pattern: '^([0-9]+(ms|[smhdwy]))+$' },
})

/** Those that the chart's own values name: an alert reads each, so that none is taken and ignored. */
export function alertsSchema(): Schema {
  return object({
    enabled: boolean,
    labels: map(text),
    runbookUrl: nonEmptyText,
    objectives,
    failuresMin: integer(1),
    thresholds: object(Object.fromEntries(thresholdNames().map(name => [name, threshold]))),
    rules: map(alertRule),
  })
}
