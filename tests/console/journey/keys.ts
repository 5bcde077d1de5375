import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createApi } from '../../support/client/api'
import { settings } from '../../support/settings'
import { until } from '../../support/until'
import type { Visitor } from '../visitor'
import { must } from './steps'

const secretPattern = /sk_live_[A-Za-z0-9_-]{20,}/

/** On the page of keys: creates one, whose secret is shown once and is gone after a reload. */
export async function createKey(visitor: Visitor, name: string): Promise<string> {
  await visitor.fill('Name', name)
  await visitor.press('Create key')
  await visitor.see('Key created')
  const [secret] = secretPattern.exec(await visitor.text()) ?? []
  must(secret !== undefined, 'the new key is not shown')
  // Its script makes Reload lead to the list; before it ran, Reload would send the form again.
  await until('the page to be whole', () => visitor.tab.evaluate<boolean>("document.readyState === 'complete'"))
  await visitor.tab.send('Page.reload')
  await visitor.see('Create a key')
  await visitor.see(name)
  must(!(await everything(visitor)).includes(secret), 'the secret is still on the page after a reload')
  await visitor.tab.send('Page.navigateToHistoryEntry', { entryId: await formerEntry(visitor) })
  await visitor.see('API keys')
  must(!(await everything(visitor)).includes(secret), 'the secret is still there when one goes back')
  return secret
}

const everything = (visitor: Visitor): Promise<string> => visitor.tab.evaluate<string>('document.documentElement.outerHTML')

async function formerEntry(visitor: Visitor): Promise<number> {
  type History = { currentIndex: number; entries: { id: number }[] }
  const { currentIndex, entries } = await visitor.tab.send<History>('Page.getNavigationHistory')
  return entries[Math.max(0, currentIndex - 1)]?.id ?? 0
}

/** Runs the playground's own example as a person would who has put the key into the variable. */
export async function runExample(
  example: string,
  secret: string,
): Promise<{ status: number; body: { id: string; error?: { code: string } } }> {
  // Not every machine has a uuidgen.
  const script = `uuidgen() { echo ${crypto.randomUUID()}; }\n${example} -sS -w '\\n%{http_code}'`
  const child = Bun.spawn(['sh', '-c', script], { env: { ...process.env, FILMGATE_API_KEY: secret }, stdout: 'pipe', stderr: 'pipe' })
  const lines = (await child.stdout.text()).trim().split('\n')
  const status = Number(lines.pop())
  must(status > 0, `the example did not reach the API: ${await child.stderr.text()}`)
  return { status, body: JSON.parse(lines.join('\n')) }
}

/** Runs the playground's example in TypeScript or Python, of which a person has to do no more than to look at the answer. */
export async function runProgram(language: 'typescript' | 'python', example: string, secret: string): Promise<{ id: string }> {
  const [command, name, look] =
    language === 'python'
      ? ['python3', 'example.py', 'print(json.dumps(task))']
      : [process.execPath, 'example.ts', 'console.log(JSON.stringify(task))']
  const file = join(mkdtempSync(join(tmpdir(), 'filmgate-journey-')), name)
  writeFileSync(file, `${example}\n${look}\n`)
  const child = Bun.spawn([command, file], { env: { ...process.env, FILMGATE_API_KEY: secret }, stdout: 'pipe', stderr: 'pipe' })
  const [output, complaints] = await Promise.all([child.stdout.text(), child.stderr.text()])
  must((await child.exited) === 0, `the example in ${language} failed: ${complaints}`)
  return JSON.parse(output)
}

/** From the reference to the console and back, with a key that it is lent; what it is then answered about the credits. */
export async function askInReference(visitor: Visitor): Promise<{ address: string; answer: string }> {
  await visitor.go(new URL('/docs/try-it', settings.url).href)
  await visitor.press('Use your account')
  await visitor.at(/^\/try-it/)
  await visitor.press('Go to the reference')
  await visitor.at(/^\/docs\/try-it/)
  await visitor.see('it ends within the hour')
  const address = await visitor.tab.evaluate<string>('location.href')
  await visitor.choose('Route', 'getPaidCreditBalance')
  await visitor.press('Send')
  await visitor.see(/\b200\b[^\n]* in \d+ ms/)
  return { address, answer: await visitor.tab.evaluate<string>("document.getElementById('answer').textContent") }
}

/** Revokes the key of the page of keys; how long after the page says so its next call is still let in, in ms. */
export async function revokeKey(visitor: Visitor, name: string, secret: string): Promise<number> {
  const api = createApi(secret)
  must((await api.get('/credits')).status === 200, 'the key did not work before')
  await visitor.press(`Revoke ${name}`)
  await visitor.see('Requests with this key are rejected')
  await visitor.press('Revoke permanently')
  const from = performance.now()
  await until('the key to be refused', async () => (await api.get('/credits')).status === 401, 10_000)
  const ms = performance.now() - from
  await visitor.see('revoked')
  return ms
}
