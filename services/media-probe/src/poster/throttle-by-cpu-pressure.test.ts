import { expect, test } from 'bun:test'
import { rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pause } from '@filmgate/kit/deadline'
import { cpuPressure, pauseAfterMs, throttleByCpuPressure } from './throttle-by-cpu-pressure'

test('a pause is as long as the work at half pressure, and bounded at full pressure', () => {
  expect(pauseAfterMs(200, 0)).toBe(0)
  expect(pauseAfterMs(200, 0.5)).toBe(200)
  expect(pauseAfterMs(200, 0.8)).toBeCloseTo(800)
  expect(pauseAfterMs(200, 1)).toBeCloseTo(1_800)
  expect(pauseAfterMs(10_000, 1)).toBe(2_000)
})

test('pressure is the kernel’s 10 s average, and 0 if it doesn’t report any', async () => {
  const path = join(tmpdir(), `pressure-${process.pid}`)
  await writeFile(path, 'some avg10=37.50 avg60=17.87 avg300=25.77 total=29221445145\nfull avg10=0.00 avg60=0.00 avg300=0.00 total=0\n')
  try {
    expect(await cpuPressure(path)).toBe(0.375)
  } finally {
    await rm(path)
  }
  expect(await cpuPressure(path)).toBe(0)
})

test('throttled work pauses after each run', async () => {
  const startedAt: number[] = []
  const run = throttleByCpuPressure<string>(
    async () => {
      startedAt.push(performance.now())
      await pause(50)
    },
    async () => 0.5,
  )
  const { signal } = new AbortController()
  await run('first', signal)
  const endedAt = performance.now()
  await run('second', signal)
  expect((startedAt[1] ?? 0) - endedAt).toBeGreaterThanOrEqual(45)
})

test('an abort signal ends the pause and reaches the work', async () => {
  const told: boolean[] = []
  const run = throttleByCpuPressure<string>(
    async (_, signal) => {
      told.push(signal.aborted)
      await pause(300)
    },
    async () => 1,
  )
  await run('first', new AbortController().signal)
  const stopping = new AbortController()
  const second = run('second', stopping.signal)
  const abortedAt = performance.now()
  stopping.abort()
  await second
  expect(told).toEqual([false, true])
  expect(performance.now() - abortedAt).toBeLessThan(1_500)
})
