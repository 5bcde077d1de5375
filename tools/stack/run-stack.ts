import { existsSync, statfsSync } from 'node:fs'
import { join } from 'node:path'
import { fetchStatus, serveControl } from './command/control'
import { explain, StackFault } from './fault'
import { cacheDir, commandFor, type Instance } from './instance'
import type { Launch } from './process/plan'
import { type Report, startProgress } from './process/progress'
import { createSupervisor, type Supervisor } from './supervisor'

export interface RunningStack {
  supervisor: Supervisor
  report: Report
  elapsed: () => string
  /** Aborted when the stack stops: by Ctrl-C, `stack down` or a fault. */
  signal: AbortSignal
}

export interface RunStackOptions {
  only: 'servers' | 'all'
  fresh: boolean
  gateways: number
  launch?: Launch
  /** Prefix of each line if several stacks run. */
  label?: string
  /** Runs when everything serves, before the stack reports ready. */
  onReady?: (running: RunningStack) => Promise<void>
  /** The work to do: the stack stops afterwards with its exit code. Without it the stack runs until it is stopped. */
  work?: (running: RunningStack) => Promise<number>
}

/** Runs the stack in this process until a signal, `stack down` or a fault; resolves to the exit code. */
export async function runStack(instance: Instance, { only, label = '', onReady, work, ...options }: RunStackOptions): Promise<number> {
  await refuseSecondStack(instance)
  requireDiskSpace(instance)
  const progress = startProgress(line => console.log(`${label}${line}`))
  const supervisor = createSupervisor(instance, progress, options)
  const { promise: ended, resolve: end } = Promise.withResolvers<number>()
  const ending = new AbortController()
  let ready = false
  const control = serveControl(supervisor, { isReady: () => ready, end: () => end(0) })
  listenForSignals(end, supervisor)

  const run = async (): Promise<number> => {
    await supervisor.startServers()
    if (only === 'all') await supervisor.startServices()
    const running = { supervisor, report: progress.report, elapsed: progress.elapsed, signal: ending.signal }
    await onReady?.(running)
    ready = true
    return work ? work(running) : ended
  }
  const worked = run().catch((error: unknown) => {
    if (!ending.signal.aborted) progress.report(explain(error))
    return 1
  })
  const code = await Promise.race([ended, worked])
  ending.abort()
  progress.report('stopping (Ctrl-C once more kills what is left)')
  await supervisor.stop()
  await control.stop()
  progress.end()
  progress.report('stopped; the data is kept')
  return code
}

async function refuseSecondStack(instance: Instance): Promise<void> {
  const running = await fetchStatus(instance)
  if (!running) return
  const up = running.processes.filter(({ state }) => state === 'up').length
  throw new StackFault(
    `The stack "${instance.name}" already runs: process ${running.pid}, ${up} of ${running.processes.length} parts up, ports from ${running.portBase}. Use it (\`${commandFor(instance, 'bun run ops operator link')}\` signs you in), or stop it with \`${commandFor(instance, 'bun run stack down')}\`.`,
  )
}

/** One Ctrl-C arrives as several signals: from the terminal and from each `bun run` or `npx` above. */
const repeatedSignalMs = 1500

function listenForSignals(end: (code: number) => void, supervisor: Supervisor): void {
  let firstSignalAt: number | undefined
  for (const [signal, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const) {
    process.on(signal, () => {
      firstSignalAt ??= performance.now()
      end(code)
      if (performance.now() - firstSignalAt < repeatedSignalMs) return
      console.log('killing what is left')
      supervisor.killAll().finally(() => process.exit(code))
    })
  }
}

const mebibyte = 1_048_576
/** Measured: downloads and Java caches take 350 MB, a new stack's data 100 MB. */
const firstTimeBytes = 900 * mebibyte
const laterBytes = 300 * mebibyte

/** Checked first, because a database on a full disk fails with twenty lines of its own. */
function requireDiskSpace({ dir }: Instance): void {
  const { bavail, bsize } = statfsSync(dir)
  const needed = existsSync(join(cacheDir, 'kafka.aot')) ? laterBytes : firstTimeBytes
  const free = bavail * bsize
  if (free >= needed) return
  throw new StackFault(
    `The disk is nearly full: the stack needs ${needed / mebibyte} MB in ${dir} and ${Math.floor(free / mebibyte)} MB are free; make room and run the command again.`,
  )
}
