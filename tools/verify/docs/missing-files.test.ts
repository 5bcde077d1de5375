import { expect, test } from 'bun:test'
import { missingFiles } from './missing-files'

const files = new Set([
  'docs/decisions/0104-a-turn.md',
  'docs/security.md',
  'services/ledger/README.md',
  'services/ledger/src/batch/post.ts',
  'services/kit/src/bus/gather.ts',
  'tests/contract/keys/200.test.ts',
  'services/catalog/models/alpha-h3.yaml',
])

test('a document may name existing files from the root, its folder or its service, or by a pattern', () => {
  const sound = [
    'See `services/ledger/src/batch/post.ts`, services/ledger/src/batch/, `kit/bus/gather.ts` and [it](../services/ledger/README.md#own).',
    '`services/catalog/models/*.yaml`, docs/decisions/0104, `contract/keys/200`, `services/<service>/src/app.ts`, https://example.com/tools/x.ts, 30 and/or 40.',
    '```sh\nbun tools/nowhere.ts\n```',
  ].join('\n')
  expect(missingFiles('docs/security.md', sound, files)).toEqual([])
  expect(missingFiles('services/ledger/README.md', '`src/batch/post.ts`', files)).toEqual([])
  expect(missingFiles('docs/security.md', '[one](/docs/billing.md#prices) and [two]({{console}}/keys)', files)).toEqual([])
})

test('a missing file is reported with its line', () => {
  expect(missingFiles('docs/security.md', 'One.\n`services/ledger/src/batch/draft.ts` and [that](gone.md)', files)).toEqual([
    'docs/security.md:2: gone.md is not there',
    'docs/security.md:2: services/ledger/src/batch/draft.ts is not there',
  ])
  expect(missingFiles('docs/security.md', '`kit/batch.ts`', files)).toEqual(['docs/security.md:1: kit/batch.ts is not there'])
  expect(missingFiles('docs/security.md', '`services/catalog/cards/*.yaml`', files)).toEqual([
    'docs/security.md:1: services/catalog/cards/*.yaml is not there',
  ])
})
