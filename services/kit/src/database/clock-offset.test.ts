import { expect, test } from 'bun:test'
import { metricsText } from '../telemetry/metrics'
import { servers, until } from '../testing'
import { clockOffsetMs, exposeClockOffset } from './clock-offset'
import { connectPostgres } from './postgres'

test.each([
  ['within question and answer, however long they took', { askedMs: 1_000, answeredMs: 9_000, databaseMs: 1_001 }, 0],
  ['ahead of the database', { askedMs: 5_000, answeredMs: 5_100, databaseMs: 2_000 }, 3_000],
  ['behind the database', { askedMs: 1_000, answeredMs: 1_100, databaseMs: 4_100 }, -3_000],
])('a clock %s', (_, times, offsetMs) => {
  expect(clockOffsetMs(times)).toBe(offsetMs)
})

test('a process whose clock is an hour ahead shows it', async () => {
  const sql = connectPostgres({ url: servers.postgresUrl, poolMax: 1, applicationName: 'test' })
  exposeClockOffset(sql, () => Date.now() + 3_600_000)
  const offsetSeconds = async () => Number(/^clock_offset_seconds (\S+)$/m.exec(await metricsText())?.[1])
  await until('an offset', async () => Number.isFinite(await offsetSeconds()))
  expect(Math.round(await offsetSeconds())).toBe(3_600)
  await sql.end()
})
