import { expect, test } from 'bun:test'
import { forecastMonth } from './month-forecast'

const dayMs = 86_400_000
/** The 31 days up to today, each with the credits that `creditsOf` says for its day of the month. */
const upTo = (now: Date, creditsOf: (day: string) => number) =>
  Array.from({ length: 31 }, (_, index) => {
    const day = new Date(now.getTime() - (30 - index) * dayMs).toISOString().slice(0, 10)
    return { day, value: creditsOf(day) }
  })

test('the days of the month count as spent, and the rest goes on at the pace of the last seven days', () => {
  const now = new Date('2026-11-23T12:00:00Z')
  // October's days are no part of November; of the pace are the 16th to the 22nd.
  const days = upTo(now, day =>
    day === '2026-10-31' ? 1_000 : day === '2026-11-10' ? 50 : day === '2026-11-20' ? 70 : day.endsWith('11-23') ? 5 : 0,
  )
  expect(forecastMonth(days, now)).toEqual({ month: 'November', soFar: 125, byEnd: 125 + 75 })
})

test('the pace of a month that begins is that of the last one’s end, and refunds alone are no pace', () => {
  const now = new Date('2026-12-01T00:00:00Z')
  expect(
    forecastMonth(
      upTo(now, () => 10),
      now,
    ),
  ).toEqual({ month: 'December', soFar: 10, byEnd: 320 })
  expect(
    forecastMonth(
      upTo(now, () => -10),
      now,
    ),
  ).toEqual({ month: 'December', soFar: -10, byEnd: -10 })
})

test('the last day of a long month has its first one', () => {
  const now = new Date('2026-10-31T18:00:00Z')
  expect(
    forecastMonth(
      upTo(now, () => 1),
      now,
    ),
  ).toEqual({ month: 'October', soFar: 31, byEnd: 31 })
})
