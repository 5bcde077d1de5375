import { readFile } from 'node:fs/promises'
import { pause } from '@filmgate/kit/deadline'

/** Work that nobody waits for still comes to its end on a machine that is never idle. */
const pauseMsMax = 2_000
const pressureMax = 0.9

/**
 * Runs work that nobody waits for behind everything else on the machine: after each run it rests, the longer the more others wait for a processor.
 * A child's niceness tells its own container alone; in others, requests would wait for it.
 */
export function throttleByCpuPressure<Work>(
  run: (work: Work, signal: AbortSignal) => Promise<void>,
  pressure: () => Promise<number> = cpuPressure,
): (work: Work, signal: AbortSignal) => Promise<void> {
  let pauseUntilMs = 0
  return async (work, signal) => {
    await pause(pauseUntilMs - performance.now(), signal)
    const startedAt = performance.now()
    await run(work, signal)
    const endedAt = performance.now()
    pauseUntilMs = endedAt + pauseAfterMs(endedAt - startedAt, await pressure())
  }
}

/** After work of `workMs`: none where nothing waits for a processor, as long as the work where something does half of the time. */
export function pauseAfterMs(workMs: number, pressure: number): number {
  const waiting = Math.min(pressure, pressureMax)
  return Math.min(pauseMsMax, (workMs * waiting) / (1 - waiting))
}

/**
 * The share of the last 10 s, from 0 to 1, in which something on this machine waited for a processor; 0 where the kernel doesn't tell.
 * https://docs.kernel.org/accounting/psi.html
 */
export async function cpuPressure(path = '/proc/pressure/cpu'): Promise<number> {
  const text = await readFile(path, 'utf8').catch(() => '')
  return Number(/^some avg10=([\d.]+)/.exec(text)?.[1] ?? 0) / 100
}
