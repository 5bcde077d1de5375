import { expect, test } from 'bun:test'
import { readdirSync, readlinkSync } from 'node:fs'
import { runChild } from './run-child'

/** The open pipes of this process. */
const pipes = () =>
  readdirSync('/proc/self/fd').filter(fd => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`).startsWith('pipe:')
    } catch {
      return false
    }
  })

const run = (script: string, reportBytesMax = 1_000_000, deadlineMs = 20_000) =>
  runChild({
    command: ['sh', '-c', script],
    ...{ deadlineMs, outputBytesMax: 100, reportBytesMax },
    signal: new AbortController().signal,
  })

test('a report arrives complete and in order at any speed, and leaves no open pipe', async () => {
  const before = pipes()
  const slow = await run('for i in 1 2 3 4; do echo "line $i" >&2; sleep 0.05; done')
  expect(slow.stderr).toBe('line 1\nline 2\nline 3\nline 4\n')
  // Several times a pipe's capacity.
  const fast = await run('seq 1 40000 >&2; echo done; exit 3')
  expect([fast.stderr, fast.output, fast.exitCode]).toEqual([
    Array.from({ length: 40_000 }, (_, index) => `${index + 1}\n`).join(''),
    'done\n',
    3,
  ])
  expect((await run(':')).stderr).toBe('')
  expect(pipes()).toEqual(before)
})

test('a report that is too long kills its child, and so does the deadline of a silent child', async () => {
  const long = await run('while :; do echo more and more >&2; done', 1_000)
  expect([long.killed, long.stderr.length]).toEqual(['output', 1_000])
  const silent = await run('sleep 60', 1_000, 200)
  expect([silent.killed, silent.stderr]).toEqual(['deadline', ''])
})
