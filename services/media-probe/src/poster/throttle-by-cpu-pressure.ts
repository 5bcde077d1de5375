import { readFile } from 'node:fs/promises'
import { pause } from '@filmgate/kit/deadline'

/** Bounds a pause, so that posters finish even on a machine that is never idle. */
const pauseMsMax = 2_000
const pressureMax = 0.9

/**
 * Pauses after each run, longer under CPU pressure. Niceness only ranks processes within a container, so it wouldn't
 * spare other containers.
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

/** The pause after work of `workMs`: none without pressure, as long as the work at a pressure of one half. */
export function pauseAfterMs(workMs: number, pressure: number): number {
  const waiting = Math.min(pressure, pressureMax)
  return Math.min(pauseMsMax, (workMs * waiting) / (1 - waiting))
}

/**
 * Share of the last 10 s (0 to 1) in which some process waited for a CPU; 0 if the kernel doesn't report it.
 * https://docs.kernel.org/accounting/psi.html
 */
export async function cpuPressure(path = '/proc/pressure/cpu'): Promise<number> {
  const text = await readFile(path, 'utf8').catch(() => '')
  return Number(/^some avg10=([\d.]+)/.exec(text)?.[1] ?? 0) / 100
}
