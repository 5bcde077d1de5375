import { readFileSync } from 'node:fs'
import { uptime } from 'node:os'

/** The machine's start and that of a process in it, as Linux tells them; undefined elsewhere. */
export function processStartOf(pid: number): string | undefined {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name before the last bracket may hold spaces and brackets; the 20th field after it is the start.
    const ticks = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]
    return ticks && /^\d+$/.test(ticks) ? `${boot} ${ticks}` : undefined
  } catch {
    return undefined
  }
}

/** Who waits for a generation from now on. */
export function thisProcess(): { pid: number; processStart?: string } {
  const processStart = processStartOf(process.pid)
  return { pid: process.pid, ...(processStart !== undefined && { processStart }) }
}

/**
 * Whether the process that wrote this still runs. A pid alone names another program after a while, in the next container
 * at once. Where starts are not told, what was written before the machine began is left by all.
 */
export function isRunning(pid: number, processStart: string | undefined, writtenAt: string): boolean {
  if (!isTaken(pid)) return false
  if (processStart !== undefined) return processStartOf(pid) === processStart
  return !(Date.parse(writtenAt) < Date.now() - uptime() * 1_000)
}

function isTaken(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
