import { afterAll, beforeAll, expect, test } from 'bun:test'
import { newFormId } from '../http/submit-once'
import { openConsole, type TestConsole } from '../testing/open-console'
import { accountList } from './routes'

let site: TestConsole
beforeAll(async () => {
  site = await openConsole(accountList)
})
afterAll(() => site.close())

const open = (person: { id: string }, form: object = {}) =>
  site.ask(person, '/accounts', { form: { form: newFormId(), name: 'Another', ...form } })

test('a person sees the accounts they are in and no others; who is signed out is led to the sign-in', async () => {
  const account = await site.newAccount('Mine <&>')
  expect((await site.ask(account.viewer, '/accounts')).text).toContain('Mine &lt;&amp;&gt;')
  expect((await site.ask(account.stranger, '/accounts')).text).not.toContain('Mine')
  expect((await site.ask(undefined, '/accounts')).status).toBe(303)
  expect((await site.ask(undefined, '/accounts', { form: { name: 'x' } })).status).toBe(303)
})

test('another account is opened once a form, and noted for the gateway', async () => {
  const person = await site.newPerson()
  const form = { form: newFormId() }
  const { location } = await open(person, form)
  expect((await open(person, form)).status).toBe(409)
  const rows = await site.sql`
    select account.id, account.name, membership.role, account_opening.person_id as opening from account
    join membership on membership.account_id = account.id join account_opening on account_opening.account_id = account.id
    where membership.person_id = ${person.id}`
  expect([...rows]).toEqual([{ id: location?.split('/').at(-1), name: 'Another', role: 'owner', opening: person.id }])
  expect(await site.acts(String(rows[0]?.id))).toMatchObject([{ act: 'account.opened', email: person.email }])
})

test('a person owns at most ten, also where they ask for many at one moment', async () => {
  const person = await site.newPerson()
  const statuses = (await Promise.all(Array.from({ length: 14 }, () => open(person)))).map(({ status }) => status)
  expect(statuses.filter(status => status === 303)).toHaveLength(10)
  expect(statuses.filter(status => status === 409)).toHaveLength(4)
})

test('an account needs a name', async () => {
  const person = await site.newPerson()
  for (const name of [' ', 'x'.repeat(101), 'two\nlines', 'www.evil.example']) expect((await open(person, { name })).status).toBe(400)
})

test('a person opens ten accounts a day, also where they delete them', async () => {
  const person = await site.newPerson()
  for (let count = 0; count < 10; count++) {
    const { status, location } = await open(person)
    expect(status).toBe(303)
    await site.sql`update account set closed_at = now() where id = ${location?.split('/').at(-1) ?? ''}`
  }
  expect((await open(person)).status).toBe(429)
  await site.sql`update tries set ends_at = now()`
  expect((await open(person)).status).toBe(303)
})
