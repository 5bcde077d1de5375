import { afterAll, expect, test } from 'bun:test'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../stack/instance'

const instance = `test-${crypto.randomUUID().slice(0, 8)}`
const folder = join(root, '.local', instance)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** As it is typed, through the runner of package.json. */
async function ops(...words: string[]): Promise<{ code: number; out: string; errors: string }> {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('FILMGATE_'))
  const child = Bun.spawn([process.execPath, 'run', 'ops', ...words, '--instance', instance], {
    cwd: root,
    env: Object.fromEntries(inherited),
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [out, errors, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited])
  return { code, out, errors: errors.trim() }
}

test('a command that fails ends with its own sentence alone', async () => {
  const words = `No stack "${instance}" has run here, and only such a stack makes sign-in links (\`bun start\`).`
  expect(await ops('operator', 'link')).toEqual({ code: 1, out: '', errors: words })
})

test('a token that no service knows is one sentence, with the file that it was read from', async () => {
  const server = Bun.serve({ port: 0, fetch: () => Response.json({ error: { code: 'operator_token_required' } }, { status: 401 }) })
  const file = join(folder, 'filmgate.env')
  const services = ['GATEWAY', 'LEDGER', 'MEDIA_PROBE', 'DISPATCHER', 'WEBHOOKS'].map(name => `FILMGATE_${name}_URL=${server.url.origin}`)
  mkdirSync(folder, { recursive: true })
  writeFileSync(file, [...services, 'FILMGATE_OPERATOR_TOKEN=of-another-stack'].join('\n'))
  try {
    const { code, out, errors } = await ops('operator', 'me')
    expect([code, out, errors.split('\n')]).toEqual([
      1,
      '',
      ['gateway', 'ledger', 'media-probe', 'dispatcher', 'webhooks'].map(
        service =>
          `The ${service} does not know this operator token (FILMGATE_OPERATOR_TOKEN of ${file}): it was revoked, or is of another installation.`,
      ),
    ])
  } finally {
    await server.stop(true)
  }
})
