import { expect, test } from 'bun:test'
import { isReplayed, type Replayed, readRanges, TooManyGaps, withReplayed, writeRanges } from './replayed'

test('offsets in any order make a mark below which all is replayed, and ranges above it', () => {
  const one = withReplayed({ next: 3, ranges: [] }, [7, 5, 6, 9])
  expect(one).toEqual({
    next: 3,
    ranges: [
      [5, 7],
      [9, 9],
    ],
  })
  expect([2, 3, 5, 7, 8, 9, 10].filter(offset => isReplayed(one, offset))).toEqual([2, 5, 7, 9])
  expect(withReplayed(one, [3, 4])).toEqual({ next: 8, ranges: [[9, 9]] })
  expect(withReplayed(one, [3, 4, 8])).toEqual({ next: 10, ranges: [] })
})

test('ranges are read as they were written', () => {
  const replayed: Replayed = {
    next: 3,
    ranges: [
      [5, 7],
      [9, 9],
    ],
  }
  expect(writeRanges(replayed)).toBe('5-7,9')
  expect([readRanges('5-7,9'), readRanges('')]).toEqual([replayed.ranges, []])
})

test('more gaps than fit beside an offset are refused before anything is forgotten', () => {
  const offsets = Array.from({ length: 2_000 }, (_, n) => 10_000 + 2 * n)
  expect(() => writeRanges(withReplayed({ next: 0, ranges: [] }, offsets))).toThrow(TooManyGaps)
})
