import { afterAll, beforeAll, expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'
import { chmod, mkdtemp, open, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { until } from '@filmgate/kit/testing'
import { noCageExit } from './cage/cage-options'
import { runChild } from './run-child'
import { findIsolation, type Isolation, isolations, sandboxed } from './sandbox'

let folder: string
let isolation: Isolation
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sandbox-'))
  isolation = (await findIsolation(folder, ['sh', '-c', ':'])) ?? 'seccomp'
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const childLimits = { memoryBytesMax: 2 ** 28, cpuSecondsMax: 5 }
const run = (
  words: string,
  { deadlineMs = 10_000, outputBytesMax = 10_000, signal = new AbortController().signal, apart = isolation } = {},
) => runChild({ command: sandboxed(apart, folder, childLimits, ['sh', '-c', words]), deadlineMs, outputBytesMax, signal })

test.each(isolations)('a child can’t write a byte: %s', async apart => {
  const { exitCode } = await run(`echo x > ${folder}/written`, { apart })
  expect(exitCode).not.toBe(0)
  expect(await Promise.all((await readdir(folder)).map(name => Bun.file(join(folder, name)).size))).not.toContain(2)
})

/** What a broken decoder reaches of this process, this machine, and another task. */
async function reachedIn(apart: Isolation): Promise<string[]> {
  const check = [join(import.meta.dir, 'cage/check-isolation.ts'), '--isolation', apart, '--service', String(process.pid)]
  const child = Bun.spawn([process.execPath, ...check], { stdout: 'pipe', stderr: 'inherit' })
  const lines = (await new Response(child.stdout).text()).trim().split('\n')
  const reached = lines.flatMap(line => /^REACHED {2}(.*)/.exec(line)?.[1] ?? [])
  expect([lines.length, await child.exited]).toEqual([18, reached.length ? 1 : 0])
  return reached
}

test('a child reaches no other process, file or host', async () => {
  expect(isolation).toBe('landlock')
  expect(await reachedIn('landlock')).toEqual([])
})

test('without Landlock a child reads files, and changes none', async () => {
  expect(await reachedIn('seccomp')).toEqual(['a file of another task'])
})

test('a cage that can’t be built starts nothing', async () => {
  const [runtime = '', cage = '', options = ''] = sandboxed('landlock', folder, childLimits, ['true'])
  const exitCode = async (readable: string[], command: string[]) => {
    const broken = JSON.stringify({ ...JSON.parse(options), readable })
    return await Bun.spawn([runtime, cage, broken, ...command], { stdio: ['ignore', 'ignore', 'ignore'] }).exited
  }
  const { readable } = JSON.parse(options)
  expect(await exitCode(readable, ['true'])).toBe(0)
  expect(await exitCode(readable, ['/no/such/program'])).toBe(noCageExit)
  expect(await exitCode([], ['true'])).toBe(noCageExit)
})

test('another process of the same user can’t read a service that hides its memory', async () => {
  const libc = join(import.meta.dir, 'cage/libc.ts')
  const user = process.getuid?.() === 0 ? ['setpriv', '--reuid=65532', '--regid=65532', '--clear-groups'] : []
  await chmod(folder, 0o755)
  const environmentReadBy = async (hides: boolean) => {
    const script = `${hides ? `require('${libc}').hideMemory();` : ''} console.log('up'); setTimeout(() => {}, 60_000)`
    const service = Bun.spawn([...user, process.execPath, '-e', script], { env: { SECRET: 'hidden' }, stdout: 'pipe', stderr: 'inherit' })
    await service.stdout.getReader().read()
    const reader = Bun.spawn([...user, 'cat', `/proc/${service.pid}/environ`], { stdout: 'pipe', stderr: 'ignore' })
    const text = await new Response(reader.stdout).text()
    service.kill('SIGKILL')
    return text
  }
  expect(await environmentReadBy(false)).toContain('hidden')
  expect(await environmentReadBy(true)).toBe('')
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
  if (isolation !== 'landlock') return
  const written = await Promise.all(elsewhere.map(path => Bun.file(path).exists()))
  await Promise.all(elsewhere.map(path => rm(path, { force: true })))
  expect(written).toEqual([false, false, false, false])
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
  expect((await run('dd if=/dev/zero bs=257M count=1')).exitCode).not.toBe(0)
  expect((await run('dd if=/dev/zero bs=1M count=1', { outputBytesMax: 2 ** 21 })).exitCode).toBe(0)
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
