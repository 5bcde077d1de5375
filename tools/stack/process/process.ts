import { existsSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { explain, StackFault } from '../fault'
import { lastLines, signalTree, spawnChild } from './child'
import type { Plan } from './plan'
import { portOpen, waitUntil } from './probe'
import type { Report } from './progress'

export type ProcessState = 'down' | 'starting' | 'up' | 'paused' | 'stopping' | 'crashed'

export interface ProcessStatus {
  name: string
  kind: Plan['kind']
  port: number
  pid: number | null
  state: ProcessState
  restarts: number
}

/** The state of a process; only this file changes it. */
interface Supervised {
  plan: Plan
  logFile: string
  report: Report
  state: ProcessState
  /** Whether it should be up; if so, its end is a crash. */
  wanted: boolean
  child?: Bun.Subprocess
  startedAt: number
  restarts: number
  backoffMs: number
  restartTimer?: Timer
}

const backoffFirstMs = 1000
const backoffMaxMs = 30_000
/** After this time up, a crash restarts with the shortest backoff. */
const stableAfterMs = 60_000

/** Supervises a process: restarts it with backoff when it crashes. */
export function superviseProcess(plan: Plan, { logDir, report }: { logDir: string; report: Report }) {
  const logFile = join(logDir, `${plan.name}.log`)
  if (existsSync(logFile)) renameSync(logFile, `${logFile}.1`)
  const supervised: Supervised = {
    plan,
    logFile,
    report,
    state: 'down',
    wanted: false,
    startedAt: 0,
    restarts: 0,
    backoffMs: backoffFirstMs,
  }
  return {
    plan,
    start: () => start(supervised),
    stop: () => stop(supervised),
    kill: () => kill(supervised),
    restart: () => stop(supervised).then(() => start(supervised)),
    pause: () => freeze(supervised, 'SIGSTOP', 'paused'),
    resume: () => freeze(supervised, 'SIGCONT', 'up'),
    status: () => statusOf(supervised),
  }
}

export type SupervisedProcess = ReturnType<typeof superviseProcess>

async function start(supervised: Supervised): Promise<void> {
  if (supervised.state !== 'down' && supervised.state !== 'crashed') return
  clearTimeout(supervised.restartTimer)
  supervised.wanted = true
  supervised.state = 'starting'
  try {
    await supervised.plan.prepare?.()
    if (await portOpen(supervised.plan.port)) throw new StackFault(portTaken(supervised.plan))
    if (supervised.wanted) await waitUntilReady(supervised)
  } catch (error) {
    if (!supervised.child) supervised.state = 'down'
    throw error
  }
}

async function waitUntilReady(supervised: Supervised): Promise<void> {
  const { plan, logFile } = supervised
  const running = spawnChild(plan, logFile, child => handleExit(supervised, child))
  supervised.child = running
  supervised.startedAt = performance.now()
  const serving = await waitUntil(async () => supervised.child !== running || (await plan.ready()), plan.readyTimeoutMs)
  if (!supervised.wanted) return
  const logTail = `Its last lines (${logFile}):\n${lastLines(logFile)}`
  if (supervised.child !== running) throw new StackFault(`${plan.name} ended while it was starting. ${logTail}`)
  if (!serving) throw new StackFault(`${plan.name} isn't ready after ${plan.readyTimeoutMs / 1000} s. ${logTail}`)
  supervised.state = 'up'
}

function handleExit(supervised: Supervised, child: Bun.Subprocess): void {
  if (supervised.child !== child) return
  const { plan, logFile, report, wanted } = supervised
  const wasUp = supervised.state === 'up' || supervised.state === 'paused'
  supervised.child = undefined
  supervised.state = wanted ? 'crashed' : 'down'
  // start() itself reports a failed start.
  if (!wanted || !wasUp) return
  if (performance.now() - supervised.startedAt > stableAfterMs) supervised.backoffMs = backoffFirstMs
  const cause = child.signalCode ?? `exit code ${child.exitCode}`
  const logTail = `Its last lines (${logFile}):\n${lastLines(logFile)}`
  report(`${plan.name} ended unexpectedly (${cause}), starting it again in ${supervised.backoffMs / 1000} s. ${logTail}`)
  scheduleRestart(supervised)
}

function scheduleRestart(supervised: Supervised): void {
  supervised.restarts += 1
  supervised.restartTimer = setTimeout(() => {
    start(supervised).then(
      () => supervised.report(`${supervised.plan.name} is up again`),
      (error: unknown) => {
        supervised.report(explain(error))
        if (supervised.wanted) scheduleRestart(supervised)
      },
    )
  }, supervised.backoffMs)
  supervised.backoffMs = Math.min(supervised.backoffMs * 2, backoffMaxMs)
}

async function stop(supervised: Supervised): Promise<void> {
  supervised.wanted = false
  clearTimeout(supervised.restartTimer)
  const { child, plan } = supervised
  if (!child) {
    supervised.state = 'down'
    return
  }
  if (supervised.state === 'paused') signalTree(child, 'SIGCONT')
  supervised.state = 'stopping'
  // Signals only the process itself; its children are its own until the timeout.
  child.kill(plan.stopSignal)
  if (!(await waitUntil(async () => supervised.child !== child, plan.stopTimeoutMs))) await kill(supervised)
}

async function kill(supervised: Supervised): Promise<void> {
  supervised.wanted = false
  clearTimeout(supervised.restartTimer)
  const { child } = supervised
  if (child) {
    signalTree(child, 'SIGKILL')
    await child.exited
  }
  // The exit callback comes after `exited` resolves.
  if (supervised.child === child) supervised.child = undefined
  supervised.state = 'down'
}

async function freeze(supervised: Supervised, signal: 'SIGSTOP' | 'SIGCONT', state: ProcessState): Promise<void> {
  if (!supervised.child) return
  signalTree(supervised.child, signal)
  supervised.state = state
}

const statusOf = ({ plan, child, state, restarts }: Supervised): ProcessStatus => ({
  name: plan.name,
  kind: plan.kind,
  port: plan.port,
  pid: child?.pid ?? null,
  state,
  restarts,
})

const portTaken = ({ name, port }: Plan): string =>
  `Port ${port} (${name}) is taken by another program: end it, or choose other ports with FILMGATE_PORT_BASE=${port - (port % 100) + 1000}.`
