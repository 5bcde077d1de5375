import { gauge } from '../telemetry/metrics'
import type { Sql } from './postgres'

/**
 * Shows how far this process' clock is ahead of its database's, in seconds, negative where it is behind: at least so far, because the way of
 * the question and the answer may explain the rest. Deadlines such as an admission's are set by one machine and read by others.
 */
export function exposeClockOffset(sql: Sql, now: () => number = Date.now): void {
  gauge('clock_offset_seconds', 'How far this clock is ahead of the database’s at least; negative where it is behind', async () => {
    const askedMs = now()
    const [row] = await sql<{ ms: number }[]>`select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms`
    return clockOffsetMs({ askedMs, answeredMs: now(), databaseMs: row?.ms ?? askedMs }) / 1_000
  })
}

/** 0 where the database's time lies between question and answer. */
export function clockOffsetMs({ askedMs, answeredMs, databaseMs }: { askedMs: number; answeredMs: number; databaseMs: number }): number {
  if (databaseMs < askedMs) return askedMs - databaseMs
  return Math.min(0, answeredMs - databaseMs)
}
