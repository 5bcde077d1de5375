import { expect, test } from 'bun:test'
import { type HealthState, healthOf, missCounts } from './provider-health'

const sent = [new Date(1_000), new Date(2_000), new Date(3_000)] as const
const mustKnow = sent.toReversed().map(createdAt => ({ createdAt }))

test.each([
  [[true, true, true], { state: 'misses_count' }],
  [[true, false, false], { state: 'misses_count' }],
  [[undefined, true, false], { state: 'misses_count' }],
  [[false, true, true], { state: 'older_misses_count', newestKnownAt: sent[1] }],
  [[false, undefined, true], { state: 'older_misses_count', newestKnownAt: sent[0] }],
  [[false, false, false], { state: 'suspended_none_known' }],
  [[false, undefined, false], undefined],
  [[undefined, undefined, undefined], undefined],
])('a provider that knows its newest three, newest first, as %p', (known, health) => {
  expect(healthOf(mustKnow, known)).toEqual(health as ReturnType<typeof healthOf>)
})

test('a miss at a provider that knows only older tasks counts only where it was submitted before the newest known', () => {
  const older = { state: 'older_misses_count', newestKnownAt: sent[1] } as const
  expect(sent.map(at => missCounts(older, at))).toEqual([true, false, false])
})

test.each<[HealthState, boolean]>([
  ['misses_count', true],
  ['misses_count_by_operator', true],
  ['older_misses_count', false],
  ['suspended_none_known', false],
  ['suspended_key_refused', false],
  ['suspended_many_missing', false],
  ['suspended_no_control', false],
])('a miss in state %s counts: %p', (state, counts) => {
  expect(missCounts({ state }, sent[2])).toBe(counts)
})
