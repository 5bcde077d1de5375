import { expect, test } from 'bun:test'
import { existsSync, mkdirSync, rmSync } from 'node:fs'
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
