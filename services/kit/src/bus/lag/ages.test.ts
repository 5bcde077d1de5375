import { expect, test } from 'bun:test'
import { createAges } from './ages'

test('a message has waited since its partition was first seen to reach beyond it', () => {
  const ages = createAges()
  ages.note('t', 0, 5, 1_000)
  ages.note('t', 0, 5, 11_000)
  ages.note('t', 0, 8, 21_000)
  expect([4, 5, 7, 8].map(offset => ages.ageMs('t', 0, offset, 31_000))).toEqual([30_000, 10_000, 10_000, 0])
  expect(ages.ageMs('t', 1, 0, 31_000)).toBe(0)
})

test('a partition that begins again forgets what was before', () => {
  const ages = createAges()
  ages.note('t', 0, 500, 1_000)
  ages.note('t', 0, 3, 11_000)
  expect(ages.ageMs('t', 0, 2, 12_000)).toBe(1_000)
})

test('a group that stands for a week costs no more memory than one that stands for an hour, and its age stays near', () => {
  const ages = createAges()
  const weekMs = 604_800_000
  for (let atMs = 0; atMs <= weekMs; atMs += 60_000) ages.note('t', 0, atMs / 60_000 + 1, atMs)
  for (const waitedMs of [60_000, 3_600_000, 86_400_000, weekMs]) {
    const age = ages.ageMs('t', 0, (weekMs - waitedMs) / 60_000, weekMs)
    expect(age).toBeLessThanOrEqual(waitedMs)
    expect(age).toBeGreaterThan(waitedMs * 0.9)
  }
})
