import { expect, test } from 'bun:test'
import type { Accepted } from './accepted-findings'
import { type Finding, findingFaults } from './judge-examples'

const finding: Finding = {
  judge: 'checkov',
  check: 'CKV_K8S_35',
  object: 'Deployment.default.filmgate-ledger',
  critical: false,
  words: 'Prefer files',
}
const reason: Accepted = { judge: 'checkov', check: 'CKV_K8S_35', objects: /-ledger$/, reason: 'It is read once.' }

test('a finding passes by a reason that names its judge, its check and its object', () => {
  expect(findingFaults([finding], [reason])).toEqual([])
  const strangers: Finding[] = [
    { ...finding, object: 'Deployment.default.filmgate-gateway' },
    { ...finding, check: 'CKV_K8S_36' },
    { ...finding, judge: 'kube-score' },
  ]
  expect(strangers.map(one => findingFaults([finding, one], [reason]).length)).toEqual([1, 1, 1])
  expect(findingFaults([{ ...finding, check: 'CKV_K8S_36' }, finding], [reason])).toEqual([
    'checkov CKV_K8S_36: Deployment.default.filmgate-ledger: Prefer files',
  ])
})

test('no reason excuses what is critical, and a reason without a finding is a fault', () => {
  expect(findingFaults([{ ...finding, critical: true }], [reason])).toEqual([
    'checkov CKV_K8S_35, critical: Deployment.default.filmgate-ledger: Prefer files',
  ])
  expect(findingFaults([], [reason])).toEqual(['checkov CKV_K8S_35 of /-ledger$/ is explained, and found nowhere any more'])
})
