import { afterAll, beforeAll, expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'
import { mkdtemp, open, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { until } from '@filmgate/kit/testing'
import { runChild } from './run-child'
import { findIsolation, type Isolation, sandboxed } from './sandbox'

let folder: string
let isolation: Isolation
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sandbox-'))
  isolation = (await findIsolation(folder)) ?? 'rlimits'
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const childLimits = { memoryBytesMax: 2 ** 28, cpuSecondsMax: 5 }
const run = (
  words: string,
  { deadlineMs = 10_000, outputBytesMax = 10_000, signal = new AbortController().signal, apart: namespaced = isolation } = {},
) => runChild({ command: sandboxed(namespaced, folder, childLimits, ['sh', '-c', words]), deadlineMs, outputBytesMax, signal })

test.each(['strongest', 'rlimits'])('a child can’t write a byte: %s', async which => {
  const { exitCode } = await run(`echo x > ${folder}/written`, { apart: which === 'rlimits' ? 'rlimits' : isolation })
  expect(exitCode).not.toBe(0)
  expect(await Promise.all((await readdir(folder)).map(name => Bun.file(join(folder, name)).size))).not.toContain(2)
})

test('a child with an inherited file writes only to that, up to its limit', async () => {
  // A name that no earlier run used.
  const name = `sandbox-${randomUUID()}`
  const handed = join(folder, `handed-${name}`)
  const file = await open(handed, 'wx')
  const elsewhere = [folder, '/dev/shm', '/tmp', '/var/tmp'].map(place => join(place, name))
  const words = `printf 0123456789 >/proc/self/fd/3; ${elsewhere.map(path => `echo x >${path}`).join('; ')}; printf 0123456789x >/proc/self/fd/3`
  const command = sandboxed(isolation, folder, childLimits, ['sh', '-c', words], 10)
  const { exitCode, killed } = await runChild({
    ...{ command, inheritedFd: file.fd, deadlineMs: 10_000, outputBytesMax: 10_000, signal: new AbortController().signal },
  })
  await file.close()
  expect([exitCode, killed, await Bun.file(handed).text()]).toEqual([153, undefined, '0123456789'])
  if (isolation !== 'namespace') return
  const written = await Promise.all(elsewhere.map(path => Bun.file(path).exists()))
  await Promise.all(elsewhere.map(path => rm(path, { force: true })))
  expect(written).toEqual([false, false, false, false])
})

test('a child sees only a loopback interface that is down', async () => {
  if (isolation === 'rlimits') return
  expect((await run('cat /proc/net/route /proc/net/if_inet6')).output.trim().split('\n').length).toBeLessThanOrEqual(1)
})

test('a child inherits no environment', async () => {
  expect((await run('env')).output).not.toContain('HOME')
})

test('a child is killed at its deadline', async () => {
  expect(await run('sleep 20', { deadlineMs: 200 })).toMatchObject({ killed: 'deadline', exitCode: 137 })
})

test('a child is killed at the first byte over its output limit', async () => {
  const { killed, output } = await run('yes', { outputBytesMax: 1_000 })
  expect([killed, output.length]).toEqual(['output', 1_000])
})

test('a child can’t allocate more than its memory limit', async () => {
  expect((await run('dd if=/dev/zero of=/dev/null bs=257M count=1')).exitCode).not.toBe(0)
  expect((await run('dd if=/dev/zero of=/dev/null bs=1M count=1')).exitCode).toBe(0)
})

test('a child dies with its parent', async () => {
  const command = JSON.stringify(sandboxed(isolation, folder, childLimits, ['sleep', '300']))
  const parent = Bun.spawn([process.execPath, '-e', `const child = Bun.spawn(${command}); console.log(child.pid); await child.exited`], {
    stdout: 'pipe',
  })
  const { value } = await parent.stdout.getReader().read()
  const pid = Number(Buffer.from(value ?? []).toString())
  const comm = () =>
    Bun.file(`/proc/${pid}/comm`)
      .text()
      .then(
        text => text.trim(),
        () => 'gone',
      )
  await until('the child to exec', async () => (await comm()) === 'sleep')
  parent.kill('SIGKILL')
  await until('the child to die', async () => (await comm()) !== 'sleep')
})
