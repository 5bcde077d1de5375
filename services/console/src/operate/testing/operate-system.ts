import { afterAll, beforeAll, beforeEach } from 'bun:test'
import type { Sql } from '@filmgate/kit/database/postgres'
import type { Role } from '@filmgate/kit/environment/operator-environment'
import { createReadiness } from '@filmgate/kit/http/server'
import { testDatabase, testLog } from '@filmgate/kit/testing'
import { uuidv7 } from 'uuidv7'
import { createApp, type Deps } from '../../app'
import { migrationsFolder } from '../../database/migrations-folder'
import { connectServices } from '../services/connect-services'
import { operatorToken, startFakeServices } from './fake-services'

export const consoleUrl = 'https://console.example.com'
export const emailOf = (role: Role | 'nobody'): string => `${role}@example.com`

/** The console on a database of its own, with fake services. A header names the signed-in person. */
export async function startOperateSystem(options: { secondFactorRequired?: boolean } = {}) {
  const database = await testDatabase(migrationsFolder)
  const services = startFakeServices()
  const roles: readonly string[] = ['read', 'support', 'money']
  for (const id of [...roles, 'nobody']) await insertSignedIn(database.sql, id)
  const app = createApp({
    log: testLog,
    readiness: createReadiness({}),
    sql: database.sql,
    consoleUrl,
    authSecrets: ['a-secret-of-at-least-32-characters'],
    secure: true,
    outputOrigins: [],
    uploadOrigins: [],
    checkoutOrigins: [],
    findPerson: async request => {
      const id = request.headers.get('x-test-person')
      if (!id) return undefined
      const person = { id, name: id, email: `${id}@example.com`, emailVerified: true, sessionId: `session-${id}`, address: '203.0.113.7' }
      return roles.includes(id) ? { ...person, operatorRole: id as Role } : person
    },
    operate: {
      services: connectServices({ urls: services.urls, token: operatorToken }),
      secondFactorRequired: options.secondFactorRequired ?? false,
      oidcHasSecondFactor: false,
    },
  } as Partial<Deps> as Deps)

  const ask = (path: string, as: Role | 'nobody' | undefined, init: RequestInit = {}) =>
    app.handle(
      new Request(`${consoleUrl}${path}`, {
        ...init,
        headers: { accept: 'text/html', ...(as && { 'x-test-person': as }), ...init.headers },
      }),
    )

  return {
    app,
    services,
    sql: database.sql,
    ask,
    send: (path: string, as: Role | 'nobody' | undefined, fields: Record<string, string> = wholeForm()) =>
      ask(path, as, { method: 'POST', body: new URLSearchParams(fields), headers: { origin: consoleUrl } }),
    async stop() {
      await Promise.all([services.stop(), database.drop()])
    },
  }
}

/** One for all tests of a file. Before each of them the services answer as at first, and no action is logged. */
export function operateSystemForTests(): OperateSystem {
  const system = {} as OperateSystem
  beforeAll(async () => {
    Object.assign(system, await startOperateSystem())
  })
  afterAll(() => system.stop?.())
  beforeEach(async () => {
    system.services.reset()
    await system.sql`truncate operator_act, form_taken`
  })
  return system
}

/** Signed in just now. */
async function insertSignedIn(sql: Sql, id: string): Promise<void> {
  await sql`insert into person (id, name, email, email_verified) values (${id}, ${id}, ${`${id}@example.com`}, true)`
  await sql`insert into session (id, person_id, token, expires_at) values (${`session-${id}`}, ${id}, ${id}, now() + interval '1 day')`
}

export type OperateSystem = Awaited<ReturnType<typeof startOperateSystem>>

/** All fields of all forms. */
export const wholeForm = (fields: Record<string, string> = {}): Record<string, string> => ({
  ...{ form: uuidv7(), reason: 'because of a call', confirm: 'yes' },
  ...{ credits: '5', balance: 'paid', change: `console-${uuidv7()}`, provider_task_id: 'provider-1', scope: 'new' },
  ...{ reversal: 'dp_1', amount: '1', from: '2026-11-01', to: '2026-11-02', provider: 'fal', outcome: 'refund' },
  ...{ name: 'Website', expires: 'never', date: '', starter: '0', minutes: '15' },
  ...fields,
})
