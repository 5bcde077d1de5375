import { expect, test } from 'bun:test'
import { isTimeZone, periodsAt } from './period'

const hour = 3_600_000
const at = (moment: string, timeZone: string) => {
  const { dayEndsAtMs, monthEndsAtMs, ...labels } = periodsAt(Date.parse(moment), timeZone)
  return { ...labels, dayEnds: new Date(dayEndsAtMs).toISOString(), monthEnds: new Date(monthEndsAtMs).toISOString() }
}

test('a day and a month are those of the time zone', () => {
  const moment = '2026-10-31T23:30:00.000Z'
  expect(at(moment, 'UTC')).toEqual({
    ...{ day: '2026-10-31', month: '2026-10', dayEnds: '2026-11-01T00:00:00.000Z', monthEnds: '2026-11-01T00:00:00.000Z' },
  })
  expect(at(moment, 'Europe/Berlin')).toEqual({
    ...{ day: '2026-11-01', month: '2026-11', dayEnds: '2026-11-01T23:00:00.000Z', monthEnds: '2026-11-30T23:00:00.000Z' },
  })
  expect(at(moment, 'Pacific/Honolulu')).toEqual({
    ...{ day: '2026-10-31', month: '2026-10', dayEnds: '2026-11-01T10:00:00.000Z', monthEnds: '2026-11-01T10:00:00.000Z' },
  })
  expect(at('2026-10-31T10:00:00.000Z', 'Pacific/Kiritimati')).toMatchObject({ day: '2026-11-01', month: '2026-11' })
})

/** The first moments of the days around a change of the clock; midnight is skipped in Cairo and comes twice in Havana. */
test.each([
  ['Europe/Berlin', '2026-03-28T23:00:00Z', 23],
  ['Europe/Berlin', '2026-10-24T22:00:00Z', 25],
  ['America/New_York', '2026-03-08T05:00:00Z', 23],
  ['America/New_York', '2026-11-01T04:00:00Z', 25],
  ['Australia/Lord_Howe', '2026-10-03T13:30:00Z', 23.5],
  ['Africa/Cairo', '2026-04-23T22:00:00Z', 23],
  ['America/Havana', '2026-11-01T04:00:00Z', 25],
  ['Asia/Kolkata', '2026-03-28T18:30:00Z', 24],
])('in %s the day that begins at %s has %p hours', (timeZone, start, hours) => {
  const startMs = Date.parse(start)
  const first = periodsAt(startMs, timeZone)
  expect(periodsAt(startMs - 1, timeZone)).toMatchObject({ dayEndsAtMs: startMs })
  expect(periodsAt(startMs - 1, timeZone).day).not.toBe(first.day)
  expect((first.dayEndsAtMs - startMs) / hour).toBe(hours)
  for (let ms = startMs; ms < first.dayEndsAtMs; ms += hour / 4) expect(periodsAt(ms, timeZone)).toEqual(first)
  expect(periodsAt(first.dayEndsAtMs, timeZone).day).not.toBe(first.day)
})

test('a month ends with its last day also where summer time begins or ends in it, and at the end of a year', () => {
  expect(at('2026-03-31T12:00:00Z', 'Europe/Berlin').monthEnds).toBe('2026-03-31T22:00:00.000Z')
  expect(at('2026-10-01T12:00:00Z', 'Europe/Berlin').monthEnds).toBe('2026-10-31T23:00:00.000Z')
  expect(at('2026-12-31T12:00:00Z', 'America/New_York')).toMatchObject({ month: '2026-12', monthEnds: '2027-01-01T05:00:00.000Z' })
  expect(at('2028-02-29T12:00:00Z', 'UTC')).toMatchObject({ day: '2028-02-29', monthEnds: '2028-03-01T00:00:00.000Z' })
})

test('a time zone is an IANA name', () => {
  for (const name of ['UTC', 'Europe/Berlin', 'America/Argentina/Buenos_Aires', 'Etc/GMT+5']) expect(isTimeZone(name)).toBe(true)
  for (const name of ['', '+05:00', 'EST5EDT', 'Nowhere/Here', 'Europe/Berlin\0', "UTC'", 'Z']) expect(isTimeZone(name)).toBe(false)
})
