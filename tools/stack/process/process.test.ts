import { afterEach, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Plan } from './plan'
import { portOpen, waitUntil } from './probe'
import { type SupervisedProcess, superviseProcess } from './process'

const dirs: string[] = []
const processes: SupervisedProcess[] = []
afterEach(async () => {
  await Promise.all(processes.splice(0).map(each => each.kill()))
  for (const dir of dirs.splice(0)) rmSync(dir, { recursive: true })
})

const freePort = (): number => {
  const server = Bun.serve({ port: 0, fetch: () => new Response() })
  const { port } = server
  server.stop(true)
  return port ?? 0
}

const serves = (port: number) =>
  `console.log('serving'); Bun.serve({ port: ${port}, hostname: '127.0.0.1', fetch: () => new Response('fine') })`

function supervised(code: string, port: number, more: Partial<Plan> = {}) {
  const dir = mkdtempSync(join(tmpdir(), 'filmgate-process-'))
  dirs.push(dir)
  writeFileSync(join(dir, 'part.ts'), code)
  const told: string[] = []
  const plan: Plan = {
    name: 'part',
    kind: 'service',
    port,
    command: [process.execPath, join(dir, 'part.ts')],
    ready: () => portOpen(port),
    readyTimeoutMs: 10_000,
    stopSignal: 'SIGTERM',
    stopTimeoutMs: 2000,
    ...more,
  }
  const made = superviseProcess(plan, { logDir: dir, report: logTail => told.push(logTail) })
  processes.push(made)
  return { made, told, isUp: () => made.status().state === 'up' }
}

test('a process that is killed from outside is reported with its last lines and restarted', async () => {
  const port = freePort()
  const { made, told, isUp } = supervised(serves(port), port)
  await made.start()
  const first = made.status().pid ?? 0
  process.kill(first, 'SIGKILL')
  expect(await waitUntil(async () => made.status().state === 'crashed', 5000)).toBe(true)
  expect(told[0]).toMatch(/^part ended unexpectedly \(SIGKILL\), starting it again in 1 s\. Its last lines \(.*part\.log\):\nserving$/)
  expect(await waitUntil(async () => isUp() && (await portOpen(port)), 10_000)).toBe(true)
  expect(made.status()).toMatchObject({ state: 'up', restarts: 1 })
  expect(made.status().pid).not.toBe(first)
})

test('a process that is killed on purpose stays down until it is started', async () => {
  const port = freePort()
  const { made, told } = supervised(serves(port), port)
  await made.start()
  await made.kill()
  expect(made.status()).toMatchObject({ state: 'down', pid: null })
  expect(await portOpen(port)).toBe(false)
  await made.start()
  expect(made.status()).toMatchObject({ state: 'up', restarts: 0 })
  expect(told).toEqual([])
})

test('a failed start is reported with the last lines, and is not retried', async () => {
  const { made } = supervised(`console.error('no such database'); process.exit(3)`, freePort())
  await expect(made.start()).rejects.toThrow(/part ended while it was starting\. Its last lines \(.*\):\nno such database/)
  expect(made.status()).toMatchObject({ state: 'down', pid: null, restarts: 0 })
})

test('a port in use is reported with a remedy', async () => {
  const other = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response() })
  const { made } = supervised(serves(other.port ?? 0), other.port ?? 0)
  await expect(made.start()).rejects.toThrow(`Port ${other.port} (part) is taken by another program`)
  other.stop(true)
})

test('a process that doesn’t stop is killed after its timeout', async () => {
  const port = freePort()
  const { made } = supervised(`process.on('SIGTERM', () => undefined); ${serves(port)}`, port, { stopTimeoutMs: 300 })
  await made.start()
  await made.stop()
  expect(made.status()).toMatchObject({ state: 'down', pid: null })
  expect(await portOpen(port)).toBe(false)
})

test('a paused process doesn’t answer, and continues when resumed', async () => {
  const port = freePort()
  const { made } = supervised(serves(port), port)
  await made.start()
  const answers = () =>
    fetch(`http://127.0.0.1:${port}`, { signal: AbortSignal.timeout(300), keepalive: false }).then(
      response => response.ok,
      () => false,
    )
  await made.pause()
  expect([made.status().state, await answers()]).toEqual(['paused', false])
  await made.resume()
  expect(await waitUntil(answers, 5000)).toBe(true)
  expect(made.status().state).toBe('up')
})
