import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { settings } from '../settings'
import { until } from '../until'
import { operate } from './operator'

export const roles = ['read', 'support', 'money'] as const
export type Role = (typeof roles)[number]
export type Service = keyof typeof settings.serviceUrls
type Route = { method: string; path: string; role: Role | null }
type Operator = { name: string }
type Question = { service: Service; method: string; path: string; token: string; body?: object; as?: string }

export const services: Service[] = ['gateway', 'ledger', 'media-probe', 'dispatcher', 'webhooks']
const root = join(import.meta.dir, '../../..')

/** One call with an operator's own token; `as` is whom it names. */
export async function askAs({ service, method, path, token, body, as }: Question) {
  const response = await fetch(`${settings.serviceUrls[service]}/operator${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...(as && { 'x-filmgate-operator': as }) },
    body: method === 'GET' ? undefined : JSON.stringify(body ?? {}),
    signal: AbortSignal.timeout(60_000),
  })
  const text = await response.text()
  return { status: response.status, body: JSON.parse(text) }
}

export async function opsAs(token: string, ...words: string[]) {
  const child = Bun.spawn([process.execPath, 'tools/ops.ts', ...words, '--json'], {
    cwd: root,
    env: { ...process.env, FILMGATE_OPERATOR_TOKEN: token, FILMGATE_OPERATOR: '' },
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [stdout, stderr, exitCode] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited])
  return { stdout, stderr, exitCode }
}

/** By `ops`, into the file that the services of this stack follow. Returns the token. */
export async function createOperator(name: string, ...words: string[]): Promise<string> {
  const { stdout, stderr, exitCode } = await opsAs(
    settings.operatorToken,
    ...['operator', 'create', name, ...words, '--file', settings.operatorsFile],
  )
  if (exitCode !== 0) throw new Error(`operator create: ${stderr}`)
  return JSON.parse(stdout).token
}

export const heardOf = async (token: string): Promise<void> => {
  for (const service of services)
    await until(`the token at the ${service}`, async () => (await askAs({ service, method: 'GET', path: '/me', token })).status === 200)
}

/** Strikes the others out of that file. */
export function keepOperators(kept: (operator: Operator) => boolean): void {
  const { operators } = JSON.parse(readFileSync(settings.operatorsFile, 'utf8')) as { operators: Operator[] }
  writeFileSync(`${settings.operatorsFile}.kept`, JSON.stringify({ operators: operators.filter(kept) }), { mode: 0o600 })
  renameSync(`${settings.operatorsFile}.kept`, settings.operatorsFile)
}

export type Tried = {
  service: Service
  method: string
  path: string
  needed: Role
  as: string
  status: number
  body: { error?: { code: string; details?: object } }
}

/** Each operators' route of each service, as the services list them, with each of these tokens: of nobody and without a word. */
export async function tryOperatorRoutes(tokens: Record<string, string>): Promise<Tried[]> {
  const tried: Tried[] = []
  for (const service of services) {
    const { data } = await operate<{ data: Route[] }>(service, 'GET', '/routes')
    for (const { method, path, role } of data.filter(({ path }) => path.startsWith('/operator/'))) {
      if (role === null) throw new Error(`${service} ${method} ${path} names no role`)
      const aimed = path.slice('/operator'.length).replace(/:\w+/g, 'nobody')
      for (const [as, token] of Object.entries(tokens))
        tried.push({ service, method, path, needed: role, as, ...(await askAs({ service, method, path: aimed, token })) })
    }
  }
  return tried
}
