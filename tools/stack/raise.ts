import { askStatus, serveControl } from './command/control'
import { needDiskRoom } from './disk-room'
import { explain, StackFault } from './fault'
import { commandFor, type Instance } from './instance'
import { type Report, startProgress } from './process/progress'
import { createSupervisor, type Supervisor } from './supervisor'

export interface Raised {
  supervisor: Supervisor
  report: Report
  elapsed: () => string
  /** Aborted when the stack is to end: by Ctrl-C, `stack down` or a fault. */
  signal: AbortSignal
}

export interface RaiseOptions {
  only: 'servers' | 'all'
  fresh: boolean
  gateways: number
  /** Stands before each line, where several stacks are raised at once. */
  label?: string
  /** Runs when everything serves and before the stack is called ready. */
  welcome?: (raised: Raised) => Promise<void>
  /** What the stack was raised for: it ends with this work's exit code. Without any it lives until it is ended. */
  work?: (raised: Raised) => Promise<number>
}

/** Raises the stack in this process and keeps it up until a signal, `stack down` or a fault; resolves to the exit code. */
export async function raiseStack(instance: Instance, { only, fresh, gateways, label = '', welcome, work }: RaiseOptions): Promise<number> {
  await refuseSecond(instance)
  needDiskRoom(instance)
  const progress = startProgress(line => console.log(`${label}${line}`))
  const supervisor = createSupervisor(instance, progress, { gateways, fresh })
  const { promise: ended, resolve: end } = Promise.withResolvers<number>()
  const ending = new AbortController()
  let ready = false
  const control = serveControl(supervisor, { isReady: () => ready, end: () => end(0) })
  listenForSignals(end, supervisor)

  const run = async (): Promise<number> => {
    await supervisor.startServers()
    if (only === 'all') await supervisor.startServices()
    const raised = { supervisor, report: progress.report, elapsed: progress.elapsed, signal: ending.signal }
    await welcome?.(raised)
    ready = true
    return work ? work(raised) : ended
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

async function refuseSecond(instance: Instance): Promise<void> {
  const running = await askStatus(instance)
  if (!running) return
  const up = running.processes.filter(({ state }) => state === 'up').length
  throw new StackFault(
    `The stack "${instance.name}" already runs: process ${running.pid}, ${up} of ${running.processes.length} parts up, ports from ${running.portBase}. Use it, or stop it with \`${commandFor(instance, 'bun run stack down')}\`.`,
  )
}

/** One Ctrl-C comes as several signals: from the terminal and from each `bun run` or `npx` above that passes it on. */
const sameCtrlCMs = 1500

function listenForSignals(end: (code: number) => void, supervisor: Supervisor): void {
  let askedAt: number | undefined
  for (const [signal, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const) {
    process.on(signal, () => {
      askedAt ??= performance.now()
      end(code)
      if (performance.now() - askedAt < sameCtrlCMs) return
      console.log('killing what is left')
      supervisor.killAll().finally(() => process.exit(code))
    })
  }
}
