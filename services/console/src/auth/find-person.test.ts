import { afterAll, expect, test } from 'bun:test'
import { testDatabase, testLog } from '@filmgate/kit/testing'
import { migrationsFolder } from '../database/migrations-folder'
import { createAuth } from './create-auth'
import { createFindPerson } from './find-person'

const { sql, drop } = await testDatabase(migrationsFolder)
afterAll(drop)
const consoleUrl = 'https://console.example.com'
const auth = createAuth({ sql, log: testLog, consoleUrl, authSecret: 'a-secret-of-at-least-32-characters', secure: true })
const minuteMs = 60_000
let clock = Date.now()
const findPerson = createFindPerson({ auth, sql, clientAddress: () => '192.0.2.1', now: () => new Date(clock) })

async function signedIn(email: string): Promise<string> {
  const password = 'a long enough password'
  await auth.api.signUpEmail({ body: { name: 'Ada', email, password } })
  await sql`update person set email_verified = true where email = ${email}`
  const { headers } = await auth.api.signInEmail({ body: { email, password }, returnHeaders: true })
  return headers
    .getSetCookie()
    .map(cookie => cookie.split(';')[0])
    .join('; ')
}
const requestOf = (cookie: string, accept = 'text/html') => new Request(consoleUrl, { headers: { cookie, accept } })

test('a session is found by its cookie until it has rested for half an hour', async () => {
  clock = Date.now()
  const cookie = await signedIn('ada@example.com')
  expect(cookie).toStartWith('__Host-filmgate.session_token=')
  expect(await findPerson(requestOf(cookie))).toMatchObject({
    email: 'ada@example.com',
    name: 'Ada',
    emailVerified: true,
    address: '192.0.2.1',
  })
  clock += 25 * minuteMs
  expect(await findPerson(requestOf(cookie))).toBeDefined()
  clock += 25 * minuteMs
  expect(await findPerson(requestOf(cookie))).toBeDefined()
  clock += 30 * minuteMs + 1
  expect(await findPerson(requestOf(cookie))).toBeUndefined()
  expect(await sql`select 1 from session`).toHaveLength(0)
})

test('a page that is left open does not keep its session', async () => {
  clock = Date.now()
  const cookie = await signedIn('open@example.com')
  clock += 25 * minuteMs
  expect(await findPerson(requestOf(cookie, 'application/json'))).toBeDefined()
  clock += 6 * minuteMs
  expect(await findPerson(requestOf(cookie, 'application/json'))).toBeUndefined()
})

test('a cookie that was changed is nobody’s', async () => {
  clock = Date.now()
  const cookie = await signedIn('eve@example.com')
  expect(await findPerson(requestOf(`${cookie.slice(0, -5)}AAA`))).toBeUndefined()
  expect(await findPerson(requestOf(''))).toBeUndefined()
})
