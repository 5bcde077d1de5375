import { expect, test } from 'bun:test'
import { appendFileSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { root } from './stack/instance'

async function stack(...args: string[]): Promise<{ code: number; words: string }> {
  const child = Bun.spawn([process.execPath, join(root, 'tools/stack.ts'), ...args], { cwd: root, stdout: 'pipe', stderr: 'pipe' })
  const [out, errors] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
  return { code: await child.exited, words: `${out}${errors}`.trim() }
}

const newName = () => `test-${crypto.randomUUID().slice(0, 8)}`

test('a question about a stack that never was names it and makes nothing', async () => {
  const name = newName()
  const start = `\`bun run stack up --instance ${name}\``
  expect(await stack('status', '--instance', name)).toEqual({
    code: 3,
    words: `No stack "${name}" runs. Start it with ${start}, or \`bun start --instance ${name}\` to stay in the foreground.`,
  })
  expect(await stack('down', '--instance', name)).toEqual({ code: 0, words: `No stack "${name}" runs.` })
  expect(await stack('kill', 'ledger', '--instance', name)).toEqual({ code: 1, words: `No stack "${name}" runs: start it with ${start}.` })
  expect(existsSync(join(root, '.local', name))).toBe(false)
})

test('a stack that runs is not called fresh', async () => {
  const name = newName()
  const folder = join(root, '.local', name)
  mkdirSync(folder, { recursive: true })
  const running = { instance: name, pid: process.pid, portBase: 4100, ready: true, processes: [] }
  const server = Bun.serve({ unix: relative(process.cwd(), join(folder, 'control.sock')), fetch: () => Response.json(running) })
  try {
    const words = `The stack "${name}" runs, so its data was not dropped: stop it with \`bun run stack down --instance ${name}\` first.`
    expect(await stack('up', '--fresh', '--instance', name)).toEqual({ code: 1, words })
    expect((await stack('up', '--instance', name)).code).toBe(0)
  } finally {
    await server.stop(true)
    rmSync(folder, { recursive: true })
  }
})

test('the status of a stack with a console says whose link opens it, and what makes one', async () => {
  const name = newName()
  const folder = join(root, '.local', name)
  mkdirSync(folder, { recursive: true })
  const processes = [{ name: 'console', kind: 'service', state: 'running', port: 4106, pid: 1, restarts: 0 }]
  const running = { instance: name, pid: process.pid, portBase: 4100, ready: true, processes }
  const server = Bun.serve({ unix: relative(process.cwd(), join(folder, 'control.sock')), fetch: () => Response.json(running) })
  try {
    const { code, words } = await stack('status', '--instance', name)
    expect([code, words.split('\n')[1]]).toEqual([
      0,
      `  http://localhost:4106: \`bun run ops operator link --instance ${name}\` makes a link that signs in dev@filmgate.localhost`,
    ])
  } finally {
    await server.stop(true)
    rmSync(folder, { recursive: true })
  }
})

test('logs are shown in the order of their times, by part, with what comes, also of a stack that is down', async () => {
  const name = newName()
  const folder = join(root, '.local', name)
  const logs = join(folder, 'logs')
  const line = (second: number, msg: string) =>
    `${JSON.stringify({ level: 'info', time: `2026-01-01T00:00:0${second}.000Z`, pid: 1, msg })}\n`
  expect(await stack('logs', '--instance', name)).toEqual({
    code: 1,
    words: `No stack "${name}" has run here: start it with \`bun run stack up --instance ${name}\`.`,
  })
  mkdirSync(logs, { recursive: true })
  try {
    writeFileSync(join(logs, 'gateway.log'), line(1, 'one') + line(3, 'three'))
    writeFileSync(join(logs, 'ledger.log'), line(2, 'two'))
    writeFileSync(join(logs, 'kafka.log'), 'a line of its own\n')
    expect((await stack('logs', '--instance', name)).words.split('\n')).toEqual([
      'gateway  00:00:01.000 info  one',
      'ledger   00:00:02.000 info  two',
      'gateway  00:00:03.000 info  three',
    ])
    expect((await stack('logs', 'gateway', '-n', '1', '--json', '--instance', name)).words).toBe(line(3, 'three').trim())
    expect((await stack('logs', 'kafka', '--instance', name)).words).toBe('a line of its own')
    expect(await stack('logs', 'nobody', '--instance', name)).toEqual({
      code: 1,
      words: 'There is no log of nobody; there are: gateway, kafka, ledger',
    })
    const command = [process.execPath, join(root, 'tools/stack.ts'), 'logs', 'ledger', '-f', '--instance', name]
    const following = Bun.spawn(command, { cwd: root, stdout: 'pipe' })
    const reader = following.stdout.pipeThrough(new TextDecoderStream()).getReader()
    expect((await reader.read()).value).toContain('two')
    appendFileSync(join(logs, 'ledger.log'), line(4, 'four'))
    expect((await reader.read()).value).toContain('four')
    // Started again: the part's file is a new and shorter one.
    writeFileSync(join(logs, 'ledger.log'), line(5, 'five'))
    expect((await reader.read()).value).toContain('five')
    following.kill()
    await following.exited
  } finally {
    rmSync(folder, { recursive: true })
  }
}, 60_000)
