import { expect, test } from 'bun:test'
import { type ClusterReport, changedInputs, coverageOf } from './coverage'

const report: ClusterReport = {
  suite: 'cluster',
  date: '2026-11-25',
  kubernetes: 'v1.36.1',
  inputs: { 'charts/ledger': 'a', k8s: 'b', 'tests/cluster/node': 'c' },
  proofs: { install: { seconds: 71 }, 'roll under load': { seconds: 40 } },
  skipped: {},
}

test('a report covers the inputs that it was made of', () => {
  expect(coverageOf(report, { ...report.inputs })).toEqual({
    proven: true,
    sentence: 'cluster proven by the run of 2026-11-25 on Kubernetes v1.36.1: 2 proofs, inputs unchanged',
  })
})

test('an input that changed, one that is new and one that is gone are named', () => {
  const present = { 'charts/ledger': 'other', 'charts/new': 'd', k8s: 'b' }
  expect(changedInputs(report.inputs, present)).toEqual(['charts/ledger', 'charts/new', 'tests/cluster/node'])
  expect(coverageOf(report, present)).toEqual({
    proven: false,
    sentence:
      'cluster needs a run: changed since the run of 2026-11-25 on Kubernetes v1.36.1: charts/ledger, charts/new, tests/cluster/node',
  })
})

test('a proof that was skipped is asked for again', () => {
  expect(coverageOf({ ...report, skipped: { 'kinds of operators': 'not served' } }, { ...report.inputs })).toEqual({
    proven: false,
    sentence: 'cluster needs a run: the run of 2026-11-25 on Kubernetes v1.36.1 could not prove kinds of operators',
  })
})

test('without a report a run is needed', () => {
  expect(coverageOf(undefined, {})).toEqual({ proven: false, sentence: 'cluster needs a run: no report is committed' })
})

test('a long list is cut', () => {
  const present = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`charts/${String(index).padStart(2, '0')}`, 'x']))
  expect(coverageOf({ ...report, inputs: {} }, present).sentence).toEndWith('charts/10, charts/11 and 8 more')
})
