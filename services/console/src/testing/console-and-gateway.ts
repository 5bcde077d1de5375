import { createReadiness } from '@filmgate/kit/http/server'
import { type TestDatabase, testDatabase, testLog } from '@filmgate/kit/testing'
import { insertAccount } from '../accounts/account-repository'
import type { Role } from '../accounts/roles'
import { createApp, type Deps } from '../app'
import { migrationsFolder } from '../database/migrations-folder'
import { connectGateway } from '../gateway/connect-gateway'
import { createFindModels } from '../models/find-models'
import { fakeGatewayToken, startFakeGateway } from './fake-gateway'
import { serveVideos } from './serve-videos'

export const consoleUrl = 'https://console.example.com'

/** The console's routes over a database and a fake gateway of the test. A header names the signed-in person. */
export async function startTestConsole(change: Partial<Deps> = {}) {
  const database: TestDatabase = await testDatabase(migrationsFolder)
  const { sql } = database
  const server = await startFakeGateway()
  const gateway = connectGateway({ url: server.url, token: fakeGatewayToken })
  const deps = {
    log: testLog,
    readiness: createReadiness({}),
    sql,
    gateway,
    findModels: createFindModels(gateway),
    consoleUrl,
    apiUrl: 'https://api.example.com/api/v1',
    secure: true,
    takesUploads: true,
    now: () => new Date(),
    authSecrets: ['a-secret-of-at-least-32-characters'],
    outputOrigins: ['https://outputs.example.com'],
    checkoutOrigins: [],
    uploadOrigins: ['https://uploads.example.com'],
    async findPerson(request: Request) {
      const id = request.headers.get('x-test-person')
      return id === null
        ? undefined
        : { id, name: id, email: `${id}@example.com`, emailVerified: true, sessionId: 's1', address: '192.0.2.1' }
    },
    ...change,
  } as unknown as Deps
  const app = createApp(deps)

  async function ask(person: string, path: string, form?: Record<string, string>, headers: Record<string, string> = {}): Promise<Response> {
    const post = form && { method: 'POST', body: new URLSearchParams(form) }
    const origin: Record<string, string> = form ? { origin: consoleUrl } : {}
    return app.handle(
      new Request(`${consoleUrl}${path}`, { ...post, headers: { accept: 'text/html', 'x-test-person': person, ...origin, ...headers } }),
    )
  }

  async function addMember(accountId: string, personId: string, role: Role): Promise<void> {
    await sql`insert into person (id, name, email) values (${personId}, ${personId}, ${`${personId}@example.com`}) on conflict do nothing`
    await insertAccount(sql, { id: accountId, name: 'Studio', personId })
    await sql`
      insert into membership (account_id, person_id, role) values (${accountId}, ${personId}, ${role})
      on conflict (account_id, person_id) do update set role = excluded.role`
  }

  return {
    sql,
    server,
    gateway: serveVideos(server),
    app,
    connected: gateway,
    ask,
    addMember,
    async stop() {
      server.stop()
      await database.drop()
    },
  }
}
