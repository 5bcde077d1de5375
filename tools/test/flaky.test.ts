import { afterAll, expect, test } from 'bun:test'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { recordFlaky } from './flaky'

const folder = mkdtempSync(join(tmpdir(), 'filmgate-flaky-'))
afterAll(() => rmSync(folder, { recursive: true }))

test('a test that is flaky three times in 30 days fails its run and keeps its seeds; others don’t', () => {
  const file = join(folder, 'flaky.json')
  const note = (day: string, names: string[], seed = 1) => recordFlaky(file, names, { at: `2026-${day}T00:00:00.000Z`, seed })
  expect(note('01-01', ['a.test.ts: one'])).toEqual([])
  expect(note('02-01', ['a.test.ts: one', 'a.test.ts: two'], 2)).toEqual([])
  expect(note('02-02', ['a.test.ts: one'], 3)).toEqual([])
  expect(note('02-03', ['a.test.ts: two'], 4)).toEqual([])
  expect(note('02-04', ['a.test.ts: one'], 5)).toEqual(['a.test.ts: one: flaky 3 times since 2026-02-01T00:00:00.000Z'])
  expect(note('02-05', [])).toEqual([])
  expect(JSON.parse(readFileSync(file, 'utf8'))['a.test.ts: one'].map(({ seed }: { seed: number }) => seed)).toEqual([2, 3, 5])
})
