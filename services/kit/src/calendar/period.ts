/** The day and the month of a moment in a time zone, by the runtime's zone data: 2026-11-26 and 2026-11, and when the next of each begins. */
export type Periods = { day: string; month: string; dayEndsAtMs: number; monthEndsAtMs: number }

/** A day begins at its first moment: where summer time skips midnight that is later, and days of 23 and 25 hours come out as they are. */
export function periodsAt(nowMs: number, timeZone: string): Periods {
  const today = Temporal.Instant.fromEpochMilliseconds(nowMs).toZonedDateTimeISO(timeZone).toPlainDate()
  const startMs = (date: Temporal.PlainDate) => date.toZonedDateTime(timeZone).epochMilliseconds
  return {
    day: today.toString(),
    month: today.toPlainYearMonth().toString(),
    dayEndsAtMs: startMs(today.add({ days: 1 })),
    monthEndsAtMs: startMs(today.with({ day: 1 }).add({ months: 1 })),
  }
}

/** `UTC` or an area and a place; neither an offset nor an abbreviation, whose rules are not those of a place. */
const timeZoneForm = /^(UTC|[A-Za-z_]{1,32}(\/[A-Za-z0-9_+-]{1,32}){1,2})$/

/** Whether it is a time zone by its IANA name. */
export function isTimeZone(name: string): boolean {
  if (!timeZoneForm.test(name)) return false
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}
