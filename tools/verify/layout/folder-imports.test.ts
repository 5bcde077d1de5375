import { expect, test } from 'bun:test'
import { folderFaults } from './folder-imports'

const src = 'services/ledger/src/'
const sound: Record<string, string[]> = {
  [`${src}main.ts`]: [`${src}app.ts`],
  [`${src}app.ts`]: [`${src}reservation/reserve.ts`],
  [`${src}reservation/reserve.ts`]: [`${src}entry/entry.ts`, `${src}errors.ts`],
  [`${src}reservation/refund/refund.ts`]: [`${src}reservation/reserve.ts`],
  [`${src}reservation/reserve.test.ts`]: [`${src}batch/post.ts`],
  [`${src}batch/post.ts`]: [`${src}reservation/reserve.ts`],
  [`${src}entry/entry.ts`]: [],
}

const faultsWith = (more: Record<string, string[]>) => folderFaults(new Map(Object.entries({ ...sound, ...more })))

test('import cycles between folders are reported with their imports', () => {
  expect(faultsWith({})).toEqual([])
  expect(faultsWith({ [`${src}entry/back.ts`]: [`${src}reservation/reserve.ts`] })).toEqual([
    `${src}: entry → reservation → entry\n    ${src}entry/back.ts → ${src}reservation/reserve.ts\n    ${src}reservation/reserve.ts → ${src}entry/entry.ts`,
  ])
  expect(faultsWith({ [`${src}entry/back.ts`]: [`${src}batch/post.ts`] })[0]).toContain('batch → reservation → entry → batch')
})

test('an import of a top-level file from a folder is reported', () => {
  expect(faultsWith({ [`${src}entry/peek.ts`]: [`${src}workers.ts`] })).toEqual([`${src}entry/peek.ts → ${src}workers.ts: reaches up`])
})
