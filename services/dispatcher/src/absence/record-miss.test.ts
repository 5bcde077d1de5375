import { expect, test } from 'bun:test'
import type { Due } from '../attempt/attempt'
import { type RecordMissDeps, recordMiss } from './record-miss'

const visibilityMs = 20_000
const deps = { health: { check: async () => ({ state: 'misses_count' }) }, absenceSightingsMin: 3 } as RecordMissDeps

const miss = (seen: { count: number; firstMsAgo: number | null; lastMsAgo: number | null }, absenceProves = true) => {
  const attempt = {
    id: 'at_1',
    absenceProves,
    absenceCount: seen.count,
    absenceFirstMsAgo: seen.firstMsAgo,
    absenceLastMsAgo: seen.lastMsAgo,
  }
  const due = { attempt, connector: { capabilities: { visibilityMs } } } as unknown as Due
  return recordMiss(deps, due, new AbortController().signal)
}

test.each([
  ['the first time', { count: 0, firstMsAgo: null, lastMsAgo: null }, { counts: true, proves: false }],
  ['sooner than a third of the bound', { count: 1, firstMsAgo: 6_600, lastMsAgo: 6_600 }, undefined],
  ['a third of the bound later', { count: 1, firstMsAgo: 6_700, lastMsAgo: 6_700 }, { counts: true, proves: false }],
  ['often, and the bound not over', { count: 3, firstMsAgo: 19_900, lastMsAgo: 5_900 }, undefined],
  [
    'often, a moment too soon after the last, and the bound over',
    { count: 3, firstMsAgo: 20_000, lastMsAgo: 6_600 },
    { counts: true, proves: true },
  ],
  ['twice, a moment ago for the second time, and the bound over', { count: 2, firstMsAgo: 20_000, lastMsAgo: 100 }, undefined],
  ['twice over the bound, and for the third time now', { count: 2, firstMsAgo: 20_000, lastMsAgo: 6_700 }, { counts: true, proves: true }],
])('one that is missed %s', async (_, seen, expected) => {
  expect(await miss(seen)).toEqual(expected)
})

test('while its sender may be running nothing is proved, and nothing is written more often', async () => {
  expect(await miss({ count: 3, firstMsAgo: 20_000, lastMsAgo: 6_600 }, false)).toBeUndefined()
  expect(await miss({ count: 3, firstMsAgo: 20_000, lastMsAgo: 6_700 }, false)).toEqual({ counts: true, proves: false })
})
