import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { until } from '../testing'

async function run(mode: string, signal: NodeJS.Signals | undefined, env: Record<string, string> = {}) {
  const child = Bun.spawn(['bun', join(import.meta.dir, '../testing/run-a-service.ts'), mode], {
    env: { ...Bun.env, ...env },
    stdout: 'pipe',
    stderr: 'pipe',
  })
  let output = ''
  const reading = (async () => {
    for await (const chunk of child.stdout.pipeThrough(new TextDecoderStream())) output += chunk
  })()
  await until('started or ended', () => output.includes('started') || child.exitCode !== null)
  if (signal) {
    child.kill(signal)
    child.kill(signal)
  }
  const status = await child.exited
  await reading
  return { status, output: output.trim().split('\n'), errors: await child.stderr.text() }
}

test.each(['SIGTERM', 'SIGINT'] as const)(
  'on %s the parts stop once each, in the reverse order of starting, and the process leaves with 0',
  async signal => {
    expect(await run('', signal)).toEqual({ status: 0, output: ['started', 'stopping second', 'stopping first'], errors: '' })
  },
)

test('a part that does not stop cleanly does not keep the others from stopping', async () => {
  expect(await run('failing', 'SIGTERM')).toMatchObject({ status: 0, output: ['started', 'stopping second', 'stopping first'] })
})

test('a part that never stops is cut off in time, with 1', async () => {
  expect(await run('stuck', 'SIGTERM')).toMatchObject({ status: 1, output: ['started', 'stopping second'] })
})

test('an environment that will not do ends the process with 78 and every fault on standard error', async () => {
  const { status, errors } = await run('', 'SIGTERM', { RUN_PORT: 'many' })
  expect([status, errors]).toEqual([78, 'The environment needs mending:\n  - RUN_PORT is not a number: "many"\n'])
})

test.each([
  ['throwing', 'uncaught exception', 'thrown by nobody’s call'],
  ['rejecting', 'unhandled rejection', 'awaited by nobody'],
  ['collected', 'uncaught exception', expect.stringContaining('FileHandle object was closed during garbage collection')],
])(
  'an error that nobody handles (%s) is logged once with its stack, the parts are stopped, and the process leaves with 1',
  async (mode, words, message) => {
    const { status, output, errors } = await run(mode, undefined)
    const logged = output.filter(line => line.startsWith('{')).map(line => JSON.parse(line))
    expect({ status, output: output.filter(line => !line.startsWith('{')), errors }).toEqual({
      ...{ status: 1, errors: '' },
      output: ['started', 'stopping second', 'stopping first'],
    })
    expect(logged).toMatchObject([{ level: 'fatal', msg: words, err: { message, stack: expect.any(String) } }])
  },
)
