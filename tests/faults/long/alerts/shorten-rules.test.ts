import { expect, test } from 'bun:test'
import { shortenRules } from './shorten-rules'

const alert = (expr: string, length = '5m') => ({
  alert: 'Some',
  expr,
  for: length,
  labels: { severity: 'warning' },
  annotations: { summary: '', runbook_url: '' },
})

test('every time of a rule is shorter by the same factor, and no threshold', () => {
  const counted =
    'sum((a{namespace="x"} and on (instance) process_uptime_seconds{namespace="x"} / 60 < 15 or increase(a{namespace="x"}[15m]))) > 60'
  const groups = [
    {
      name: 'one',
      interval: '30s',
      recordings: [{ record: 'r', expr: 'sum(rate(a[5m]))' }],
      rules: [alert(counted, '0m'), alert('min_over_time(max(a)[2m:15s]) > 0 and sum(sum_over_time(r[1h])) * 30 >= 10')],
    },
  ]
  expect(shortenRules(groups)).toEqual([
    {
      name: 'one',
      interval: '1500ms',
      recordings: [{ record: 'r', expr: 'sum(rate(a[15000ms]))' }],
      rules: [
        alert(
          'sum((a{namespace="x"} and on (instance) process_uptime_seconds{namespace="x"} / 3 < 15 or increase(a{namespace="x"}[45000ms]))) > 60',
          '0ms',
        ),
        alert('min_over_time(max(a)[6000ms:750ms]) > 0 and sum(sum_over_time(r[180000ms])) * 1.5 >= 10', '15000ms'),
      ],
    },
  ])
})

test('a time that is not understood is a fault', () => {
  expect(() => shortenRules([{ name: 'one', recordings: [], rules: [alert('a', '1m30s')] }])).toThrow('1m30s')
})
