import { expect, test } from 'bun:test'
import type { AlertRule } from '../../charts/alert-rules'
import { groupedLabels, namedSeries } from '../../charts/named-series'
import { coverageFaults } from './alerts'

const rule = (alert: string, expr: string): AlertRule => ({
  ...{ alert, expr, for: '0m' },
  ...{ labels: { severity: 'warning' }, annotations: { summary: '', runbook_url: '' } },
})
const fires = (alert: string) => ({ alert, series: {}, at: '1m', says: 'words' })

test('an alert without a case, section, namespace or healthy series is reported, and so is a section without an alert', () => {
  const rules = [rule('FilmgateSound', 'max(a{namespace="x"}) > 0'), rule('FilmgateBare', 'max(b{job="y"}) > 0')]
  const silentOnly = [fires('FilmgateSound'), { alert: 'FilmgateBare', series: {}, at: '1m' }]
  expect(coverageFaults([{ recordings: [], rules }], silentOnly, { 'a{job="y"}': '1' }, ['FilmgateSound', 'FilmgateGone'])).toEqual([
    'FilmgateBare has no case in which it fires',
    'FilmgateBare has no section in docs/operations.md',
    'FilmgateBare reads b, which the healthy line does not have',
    'FilmgateBare reads b of every namespace',
    'docs/operations.md has a section for FilmgateGone, which is no alert',
  ])
  expect(
    coverageFaults([{ recordings: [], rules: rules.slice(0, 1) }], [fires('FilmgateSound')], { 'a{job="y"}': '1' }, ['FilmgateSound']),
  ).toEqual([])
})

test('alert names are unique across groups and have one section', () => {
  const rules = [rule('FilmgateSound', 'a{namespace="x"} > 0'), rule('FilmgateSound', 'a{namespace="x"} > 9')]
  expect(coverageFaults([{ recordings: [], rules }], [fires('FilmgateSound')], { a: '1' }, ['FilmgateSound', 'FilmgateSound'])).toEqual([
    'FilmgateSound is the name of more than one alert',
    'docs/operations.md has more than one section for FilmgateSound',
  ])
})

test('an alert reads what its own group records, and what is recorded is read of this namespace and of the healthy line', () => {
  const recordings = [{ record: 'x:a:rate5m', expr: 'sum(rate(a_total{job="y"}[5m]))' }]
  const rules = [rule('FilmgateSound', 'x:a:rate5m{namespace="x"} > 0')]
  const cases = [fires('FilmgateSound')]
  expect(coverageFaults([{ recordings, rules }], cases, {}, ['FilmgateSound'])).toEqual([
    'x:a:rate5m reads a_total, which the healthy line does not have',
    'x:a:rate5m reads a_total of every namespace',
  ])
  const apart = [
    { recordings, rules: [] },
    { recordings: [], rules },
  ]
  expect(coverageFaults(apart, cases, { a_total: '1' }, ['FilmgateSound'])).toContain(
    'FilmgateSound reads x:a:rate5m, which the healthy line does not have',
  )
})

test('the series and labels of an expression are extracted', () => {
  const expr =
    'sum by (group, topic) (a_total{namespace="x", result=~"b|c"} and on (namespace, job) u{namespace="x"} / 60 < 15) unless max by (group) (d{namespace="x"})'
  expect(namedSeries(expr)).toEqual([
    { metric: 'a_total', labels: ['namespace', 'result'] },
    { metric: 'u', labels: ['namespace'] },
    { metric: 'd', labels: ['namespace'] },
  ])
  expect(groupedLabels(expr)).toEqual(['group', 'topic', 'namespace', 'job'])
})
