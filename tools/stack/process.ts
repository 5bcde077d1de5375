import { closeSync, existsSync, openSync, readFileSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { explain, StackFault } from './fault'
import type { Plan } from './plan'
import { portOpen, until } from './probe'
import { processTree } from './process-tree'
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

const backoffFirstMs = 1000
const backoffMaxMs = 30_000
/** A process that ran this long before it crashed starts again with the shortest wait. */
const steadyAfterMs = 60_000
const lastLinesShown = 12

/** Keeps one process as it should be: up until told otherwise, started again (ever later) when it crashes. */
export function superviseProcess(plan: Plan, { logDir, report }: { logDir: string; report: Report }) {
  const logFile = join(logDir, `${plan.name}.log`)
  let child: Bun.Subprocess | undefined
  let state: ProcessState = 'down'
  let wanted = false
  let restarts = 0
  let backoffMs = backoffFirstMs
  let again: Timer | undefined

  if (existsSync(logFile)) renameSync(logFile, `${logFile}.1`)

  async function start(): Promise<void> {
    if (state !== 'down' && state !== 'crashed') return
    clearTimeout(again)
    wanted = true
    state = 'starting'
    try {
      await plan.prepare?.()
      if (await portOpen(plan.port)) throw new StackFault(portTaken(plan))
      if (wanted) await serve()
    } catch (error) {
      if (!child) state = 'down'
      throw error
    }
  }

  async function serve(): Promise<void> {
    const running = spawn()
    const serving = await until(async () => child !== running || (await plan.ready()), plan.readyTimeoutMs)
    if (!wanted) return
    if (child !== running) throw new StackFault(`${plan.name} ended while it was starting. Its last lines (${logFile}):\n${lastLines()}`)
    if (!serving)
      throw new StackFault(`${plan.name} isn't ready after ${plan.readyTimeoutMs / 1000} s. Its last lines (${logFile}):\n${lastLines()}`)
    state = 'up'
  }

  function spawn(): Bun.Subprocess {
    const log = openSync(logFile, 'a')
    const startedAt = performance.now()
    const spawned = Bun.spawn(tied(plan.command), {
      cwd: plan.cwd,
      env: { ...process.env, ...plan.env },
      stdin: 'ignore',
      stdout: log,
      stderr: log,
      // A session of its own: Ctrl-C reaches the stack alone, which then stops its processes in order.
      detached: true,
      onExit: () => {
        if (child !== spawned) return
        child = undefined
        ended(spawned, performance.now() - startedAt)
      },
    })
    closeSync(log)
    child = spawned
    return spawned
  }

  function ended({ exitCode, signalCode }: Bun.Subprocess, ranMs: number): void {
    const wasUp = state === 'up' || state === 'paused'
    state = wanted ? 'crashed' : 'down'
    // A start that fails is told by start() itself.
    if (!wanted || !wasUp) return
    if (ranMs > steadyAfterMs) backoffMs = backoffFirstMs
    report(
      `${plan.name} ended unexpectedly (${signalCode ?? `exit code ${exitCode}`}), starting it again in ${backoffMs / 1000} s. Its last lines (${logFile}):\n${lastLines()}`,
    )
    startAgain()
  }

  function startAgain(): void {
    restarts += 1
    again = setTimeout(() => {
      start().then(
        () => report(`${plan.name} is up again`),
        (error: unknown) => {
          report(explain(error))
          if (wanted) startAgain()
        },
      )
    }, backoffMs)
    backoffMs = Math.min(backoffMs * 2, backoffMaxMs)
  }

  /** Sends the signal to the process and to whatever it started. */
  function signal(name: NodeJS.Signals): void {
    if (!child) return
    try {
      process.kill(-child.pid, name)
    } catch {
      child.kill(name)
    }
  }

  async function stop(): Promise<void> {
    wanted = false
    clearTimeout(again)
    if (!child) {
      state = 'down'
      return
    }
    if (state === 'paused') signalTree('SIGCONT')
    state = 'stopping'
    const stopping = child
    // Only the process itself is told: its own children are its own business, until the time is over.
    stopping.kill(plan.stopSignal)
    if (!(await until(async () => child !== stopping, plan.stopTimeoutMs))) await kill()
  }

  async function kill(): Promise<void> {
    wanted = false
    clearTimeout(again)
    const killing = child
    signal('SIGKILL')
    await killing?.exited
    // Its end is told to us a moment after it is known here.
    if (child === killing) child = undefined
    state = 'down'
  }

  async function restart(): Promise<void> {
    await stop()
    await start()
  }

  /** The whole tree: a Postgres whose parent alone is frozen serves on over its open connections. */
  function signalTree(name: 'SIGSTOP' | 'SIGCONT'): void {
    for (const pid of child ? processTree(child.pid) : []) {
      try {
        process.kill(pid, name)
      } catch {
        // It ended meanwhile.
      }
    }
  }

  async function pause(): Promise<void> {
    signalTree('SIGSTOP')
    if (child) state = 'paused'
  }

  async function resume(): Promise<void> {
    signalTree('SIGCONT')
    if (child) state = 'up'
  }

  const lastLines = (): string =>
    existsSync(logFile) ? readFileSync(logFile, 'utf8').trimEnd().split('\n').slice(-lastLinesShown).join('\n') : ''
  const status = (): ProcessStatus => ({ name: plan.name, kind: plan.kind, port: plan.port, pid: child?.pid ?? null, state, restarts })

  return { plan, start, stop, kill, restart, pause, resume, status }
}

export type SupervisedProcess = ReturnType<typeof superviseProcess>

const portTaken = ({ name, port }: Plan): string =>
  `Port ${port} (${name}) is taken by another program: end it, or choose other ports with FILMGATE_PORT_BASE=${port - (port % 100) + 1000}.`

/**
 * The kernel ends the process when the stack dies without a chance to do so itself (kill -9). Said in a command's own setpriv where
 * it has one, because a change of user afterwards would undo it.
 */
function tied(command: string[]): string[] {
  if (!Bun.which('setpriv')) return command
  return ['setpriv', '--pdeathsig', 'KILL', ...(command[0] === 'setpriv' ? command.slice(1) : command)]
}
