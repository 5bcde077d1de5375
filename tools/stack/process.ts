import { existsSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { lastLines, signalTree, spawnChild } from './child'
import { explain, StackFault } from './fault'
import type { Plan } from './plan'
import { portOpen, until } from './probe'
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

/** What is known of one process; only the functions of this file change it. */
interface Part {
  plan: Plan
  logFile: string
  report: Report
  state: ProcessState
  /** Whether it should be up: an end that wasn't asked for is a crash. */
  wanted: boolean
  child?: Bun.Subprocess
  startedAt: number
  restarts: number
  backoffMs: number
  again?: Timer
}

const backoffFirstMs = 1000
const backoffMaxMs = 30_000
/** A process that ran this long before it crashed starts again with the shortest wait. */
const steadyAfterMs = 60_000

/** Keeps one process as it should be: up until told otherwise, started again (ever later) when it crashes. */
export function superviseProcess(plan: Plan, { logDir, report }: { logDir: string; report: Report }) {
  const logFile = join(logDir, `${plan.name}.log`)
  if (existsSync(logFile)) renameSync(logFile, `${logFile}.1`)
  const part: Part = { plan, logFile, report, state: 'down', wanted: false, startedAt: 0, restarts: 0, backoffMs: backoffFirstMs }
  return {
    plan,
    start: () => start(part),
    stop: () => stop(part),
    kill: () => kill(part),
    restart: () => stop(part).then(() => start(part)),
    pause: () => freeze(part, 'SIGSTOP', 'paused'),
    resume: () => freeze(part, 'SIGCONT', 'up'),
    status: () => statusOf(part),
  }
}

export type SupervisedProcess = ReturnType<typeof superviseProcess>

async function start(part: Part): Promise<void> {
  if (part.state !== 'down' && part.state !== 'crashed') return
  clearTimeout(part.again)
  part.wanted = true
  part.state = 'starting'
  try {
    await part.plan.prepare?.()
    if (await portOpen(part.plan.port)) throw new StackFault(portTaken(part.plan))
    if (part.wanted) await serve(part)
  } catch (error) {
    if (!part.child) part.state = 'down'
    throw error
  }
}

async function serve(part: Part): Promise<void> {
  const { plan, logFile } = part
  const running = spawnChild(plan, logFile, child => ended(part, child))
  part.child = running
  part.startedAt = performance.now()
  const serving = await until(async () => part.child !== running || (await plan.ready()), plan.readyTimeoutMs)
  if (!part.wanted) return
  const words = `Its last lines (${logFile}):\n${lastLines(logFile)}`
  if (part.child !== running) throw new StackFault(`${plan.name} ended while it was starting. ${words}`)
  if (!serving) throw new StackFault(`${plan.name} isn't ready after ${plan.readyTimeoutMs / 1000} s. ${words}`)
  part.state = 'up'
}

function ended(part: Part, child: Bun.Subprocess): void {
  if (part.child !== child) return
  const { plan, logFile, report, wanted } = part
  const wasUp = part.state === 'up' || part.state === 'paused'
  part.child = undefined
  part.state = wanted ? 'crashed' : 'down'
  // A start that fails is told by start() itself.
  if (!wanted || !wasUp) return
  if (performance.now() - part.startedAt > steadyAfterMs) part.backoffMs = backoffFirstMs
  const cause = child.signalCode ?? `exit code ${child.exitCode}`
  const words = `Its last lines (${logFile}):\n${lastLines(logFile)}`
  report(`${plan.name} ended unexpectedly (${cause}), starting it again in ${part.backoffMs / 1000} s. ${words}`)
  startAgain(part)
}

function startAgain(part: Part): void {
  part.restarts += 1
  part.again = setTimeout(() => {
    start(part).then(
      () => part.report(`${part.plan.name} is up again`),
      (error: unknown) => {
        part.report(explain(error))
        if (part.wanted) startAgain(part)
      },
    )
  }, part.backoffMs)
  part.backoffMs = Math.min(part.backoffMs * 2, backoffMaxMs)
}

async function stop(part: Part): Promise<void> {
  part.wanted = false
  clearTimeout(part.again)
  const { child, plan } = part
  if (!child) {
    part.state = 'down'
    return
  }
  if (part.state === 'paused') signalTree(child, 'SIGCONT')
  part.state = 'stopping'
  // Only the process itself is told: its own children are its own business, until the time is over.
  child.kill(plan.stopSignal)
  if (!(await until(async () => part.child !== child, plan.stopTimeoutMs))) await kill(part)
}

async function kill(part: Part): Promise<void> {
  part.wanted = false
  clearTimeout(part.again)
  const { child } = part
  if (child) {
    signalTree(child, 'SIGKILL')
    await child.exited
  }
  // Its end is told to us a moment after it is known here.
  if (part.child === child) part.child = undefined
  part.state = 'down'
}

async function freeze(part: Part, signal: 'SIGSTOP' | 'SIGCONT', state: ProcessState): Promise<void> {
  if (!part.child) return
  signalTree(part.child, signal)
  part.state = state
}

const statusOf = ({ plan, child, state, restarts }: Part): ProcessStatus => ({
  name: plan.name,
  kind: plan.kind,
  port: plan.port,
  pid: child?.pid ?? null,
  state,
  restarts,
})

const portTaken = ({ name, port }: Plan): string =>
  `Port ${port} (${name}) is taken by another program: end it, or choose other ports with FILMGATE_PORT_BASE=${port - (port % 100) + 1000}.`
