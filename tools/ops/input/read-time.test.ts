import { expect, test } from 'bun:test'
import { readTime } from './read-time'

test('a time is read alike in every zone of the operator', () => {
  for (const [text, time] of [
    ['2026-11-01', '2026-11-01T00:00:00.000Z'],
    ['2026-11-01T08:30', '2026-11-01T08:30:00.000Z'],
    ['2026-11-01T08:30:15.5', '2026-11-01T08:30:15.500Z'],
    ['2026-11-01T08:30:00Z', '2026-11-01T08:30:00.000Z'],
    ['2026-11-01T08:30:00+02:00', '2026-11-01T06:30:00.000Z'],
  ] as const)
    expect(readTime(text)).toBe(time)
})

test('what is no time is none', () => {
  for (const text of [
    '',
    'today',
    '2026',
    '2026-11',
    '2026-02-30',
    '2026-13-01',
    '2026-11-01T25:00',
    '2026-11-01 08:30',
    '2026-11-01T08:30:00Zulu',
  ])
    expect(readTime(text)).toBeUndefined()
})
