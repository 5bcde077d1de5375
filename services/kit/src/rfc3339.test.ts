import { expect, test } from 'bun:test'
import { rfc3339 } from './rfc3339'

test('a moment of RFC 3339 is read whole and with its zone', () => {
  for (const [text, iso] of [
    ['2026-11-22T08:30:00Z', '2026-11-22T08:30:00.000Z'],
    ['2026-11-22t08:30:00.25z', '2026-11-22T08:30:00.250Z'],
    ['2028-02-29T23:59:59.123456789+02:00', '2028-02-29T21:59:59.123Z'],
    ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000Z'],
  ] as const)
    expect([text, rfc3339(text)?.toISOString()]).toEqual([text, iso])
})

test('nothing else is: no part of one, no day that a month does not have, no number that an engine takes for a year', () => {
  const others = [
    '',
    '1',
    '2026',
    '2026-11-22',
    '2026-11-22T08:30Z',
    '2026-11-22T08:30:00',
    '2026-11-22 08:30:00Z',
    '2026-02-30T00:00:00Z',
    '2027-02-29T00:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-11-22T25:00:00Z',
    '2026-11-22T08:61:00Z',
    '+02026-11-22T08:30:00Z',
    '2026-11-22T08:30:00+0100',
    ' 2026-11-22T08:30:00Z',
    '2026-11-22T08:30:00Z\n',
  ]
  for (const text of others) expect([text, rfc3339(text)]).toEqual([text, undefined])
})
