import { randomUUID } from 'node:crypto'
import type { Secrets } from '@filmgate/kit/environment/secrets'
import { type TestDatabase, testDatabase, testLog } from '@filmgate/kit/testing'
import { type AnyElysia, Elysia } from 'elysia'
import { insertAccount } from '../accounts/account-repository'
import type { Role } from '../accounts/roles'
import { migrationsFolder } from '../database/migrations-folder'
import { connectGateway } from '../gateway/connect-gateway'
import type { Gateway } from '../gateway/gateway'
import type { Person } from '../http/person'
import { sameOrigin } from '../http/same-origin'
import { renderError } from '../layout/render-error'
import { fakeGatewayToken, startFakeGateway } from './fake-gateway'

export const consoleUrl = 'https://console.example.com'

export type RouteDeps = {
  sql: TestDatabase['sql']
  gateway: Gateway
  consoleUrl: string
  now(): Date
  apiOrigin: string
  apiUrl: string
  authSecrets: Secrets
  findPerson(request: Request): Promise<Person | undefined>
}
export type TestConsole = Awaited<ReturnType<typeof openConsole>>
type Visitor = { id: string } | undefined
type Sent = { form?: Record<string, string>; method?: string; headers?: Record<string, string> }

/** Console routes over a database of their own and a fake gateway; a cookie names the signed-in person. */
export async function openConsole(routes: (deps: RouteDeps) => AnyElysia) {
  const database = await testDatabase(migrationsFolder)
  const { sql } = database
  const gateway = await startFakeGateway()
  const findPerson = async (request: Request): Promise<Person | undefined> => {
    const id = /person=([^;]+)/.exec(request.headers.get('cookie') ?? '')?.[1]
    const [row] = id ? await sql<Person[]>`select id, name, email, email_verified as "emailVerified" from person where id = ${id}` : []
    return row && { ...row, sessionId: `session-${id}`, address: '192.0.2.7' }
  }
  const deps = {
    sql,
    gateway: connectGateway({ url: gateway.url, token: fakeGatewayToken }),
    consoleUrl,
    apiOrigin: 'https://api.example.com',
    apiUrl: 'https://api.example.com/api/v1',
    authSecrets: ['the-secret-of-a-test-of-32-characters'] as const,
    now: () => new Date(),
    findPerson,
  }
  const app = new Elysia({ normalize: false }).use(renderError(testLog)).use(sameOrigin(consoleUrl)).use(routes(deps))

  /** Requests like a browser; `form` makes it a POST. */
  const open = (visitor: Visitor, path: string, { form, method = form ? 'POST' : 'GET', headers = {} }: Sent = {}): Promise<Response> =>
    app.handle(
      new Request(`${consoleUrl}${path}`, {
        method,
        headers: {
          accept: 'text/html',
          ...(visitor && { cookie: `person=${visitor.id}` }),
          ...(method === 'POST' && { origin: consoleUrl, 'content-type': 'application/x-www-form-urlencoded' }),
          ...headers,
        },
        ...(method === 'POST' && { body: new URLSearchParams(form).toString() }),
      }),
    )

  /** The same, with the body read. `location` is the redirect, if any. */
  async function ask(visitor: Visitor, path: string, sent?: Sent) {
    const answer = await open(visitor, path, sent)
    return { status: answer.status, headers: answer.headers, location: answer.headers.get('location'), text: await answer.text() }
  }

  async function newPerson(name = 'Ada', { email = `${randomUUID()}@example.com`, verified = true } = {}) {
    const id = randomUUID()
    await sql`insert into person (id, name, email, email_verified) values (${id}, ${name}, ${email}, ${verified})`
    await sql`insert into session (id, person_id, token, expires_at) values (${`session-${id}`}, ${id}, ${id}, now() + interval '1 day')`
    return { id, name, email }
  }

  const join = (accountId: string, personId: string, role: Role) =>
    sql`insert into membership (account_id, person_id, role) values (${accountId}, ${personId}, ${role})`

  /** Moves the person's last sign-in to more than 15 minutes ago. */
  const rest = (personId: string) => sql`update session set confirmed_at = now() - interval '16 minutes' where person_id = ${personId}`

  /** An account with an owner, a member and a viewer, and a person who is not a member. */
  async function newAccount(name = 'Studio') {
    const id = randomUUID()
    const [owner, member, viewer, stranger] = [
      await newPerson('Owen'),
      await newPerson('Mia'),
      await newPerson('Vic'),
      await newPerson('Sam'),
    ]
    await insertAccount(sql, { id, name, personId: owner.id })
    await join(id, member.id, 'member')
    await join(id, viewer.id, 'viewer')
    return { id, path: `/accounts/${id}`, owner, member, viewer, stranger }
  }

  const auditEntries = async (accountId: string) => [
    ...(await sql<{ act: string; subject: string | null; email: string; details: object }[]>`
      select act, subject, person_email as email, details from audit_act where account_id = ${accountId} order by id`),
  ]

  async function close(): Promise<void> {
    gateway.stop()
    await database.drop()
  }
  return { sql, gateway, open, ask, newPerson, newAccount, join, rest, acts: auditEntries, close }
}

/** The value of a form's hidden field. */
export function hiddenField(text: string, name: string): string {
  const value = new RegExp(`<input type="hidden" name="${name}" value="([^"]*)"`).exec(text)?.[1]
  if (value === undefined) throw new Error(`the page has no hidden field ${name}`)
  return value
}
