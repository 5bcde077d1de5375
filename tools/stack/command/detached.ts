import { closeSync, openSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { StackFault } from '../fault'
import { commandFor, type Instance, root, type StackAddress } from '../instance'
import type { StackArguments } from './arguments'
import { callControl, fetchStatus } from './control'

const upTimeoutMs = 600_000
const downTimeoutMs = 180_000

/** Starts the foreground command in its own session and prints its output until it is ready. */
export async function stackUp(instance: Instance, { only, fresh, gateways }: StackArguments): Promise<number> {
  const running = await fetchStatus(instance)
  if (running && fresh)
    throw new StackFault(
      `The stack "${instance.name}" runs, so its data was not dropped: stop it with \`${commandFor(instance, 'bun run stack down')}\` first.`,
    )
  if (running?.ready) {
    console.log(`The stack "${instance.name}" already runs (process ${running.pid}, ports from ${running.portBase}).`)
    return 0
  }
  const logFile = join(instance.dir, 'logs/stack.log')
  const log = openSync(logFile, 'w')
  const options = [
    '--instance',
    instance.name,
    '--gateways',
    String(gateways),
    ...(only === 'servers' ? ['--only', 'servers'] : []),
    ...(fresh ? ['--fresh'] : []),
  ]
  const child = Bun.spawn([process.execPath, join(root, 'tools/stack.ts'), 'run', ...options], {
    cwd: root,
    env: { ...process.env, FILMGATE_PORT_BASE: String(instance.portBase) },
    stdin: 'ignore',
    stdout: log,
    stderr: log,
    detached: true,
  })
  closeSync(log)
  const code = await follow(instance, child, logFile)
  child.unref()
  return code
}

async function follow(instance: Instance, child: Bun.Subprocess, logFile: string): Promise<number> {
  let shown = 0
  const show = () => {
    const size = statSync(logFile).size
    if (size > shown) process.stdout.write(readFileSync(logFile).subarray(shown))
    shown = size
  }
  const deadline = Date.now() + upTimeoutMs
  while (Date.now() < deadline) {
    await Bun.sleep(100)
    show()
    if (child.exitCode !== null) return child.exitCode || 1
    if ((await fetchStatus(instance))?.ready) {
      show()
      return 0
    }
  }
  throw new StackFault(`The stack isn't ready after ${upTimeoutMs / 1000} s; its lines are in ${logFile}.`)
}

export async function stackDown(address: StackAddress): Promise<number> {
  const running = await fetchStatus(address)
  if (!running) {
    console.log(`No stack "${address.name}" runs.`)
    return 0
  }
  await callControl(address, '/down', 'POST')
  const deadline = Date.now() + downTimeoutMs
  while (Date.now() < deadline) {
    if (!isAlive(running.pid)) {
      console.log(`The stack "${address.name}" is stopped; its data is kept.`)
      return 0
    }
    await Bun.sleep(100)
  }
  throw new StackFault(`The stack "${address.name}" (process ${running.pid}) doesn't end: kill it with \`kill -9 ${running.pid}\`.`)
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
