import { afterAll, beforeAll, expect, test } from 'bun:test'
import { Elysia } from 'elysia'
import { members } from '../members/routes'
import { personDeletion } from '../person-deletion/routes'
import { refusal } from '../testing/fake-gateway'
import { openConsole, type TestConsole } from '../testing/open-console'
import { tryIt } from './routes'

let site: TestConsole
beforeAll(async () => {
  site = await openConsole(deps => new Elysia().use(tryIt(deps)).use(members(deps)).use(personDeletion(deps)))
})
afterAll(() => site.close())

type Someone = { id: string; email: string }
const lend = (account: { id: string }, visitor: Someone | undefined) => site.ask(visitor, '/try-it', { form: { account: account.id } })

/** An account with two owners and a key of the gateway. */
async function accountWithKeys() {
  const account = await site.newAccount()
  await site.sql`update membership set role = 'owner' where account_id = ${account.id} and person_id = ${account.member.id}`
  const path = `/accounts/${account.id}/keys`
  let made = 0
  const byHand = { key_id: 'hand', name: `Reference, ${account.member.email}`, revoked_at: null, expires_at: null }
  site.gateway.on(`GET ${path}`, { data: [byHand] })
  site.gateway.on(`POST ${path}`, () => ({ key_id: `k${++made}`, api_key: `sk_live_k${made}` }))
  site.gateway.on(`DELETE ${path}/:key`, (_, { key }) => ({ key_id: key, revoked: true }))
  const revoked = () =>
    site.gateway.seen.filter(seen => seen.method === 'DELETE' && seen.path.startsWith(path)).map(seen => seen.path.split('/').at(-1))
  return { ...account, other: account.member, revoked }
}

test('an owner is led to the reference with a key behind the #, which no server is told; nobody else is lent one', async () => {
  const account = await accountWithKeys()
  expect((await lend(account, account.owner)).location).toBe('https://api.example.com/docs/try-it#key=sk_live_k1')
  expect((await lend(account, account.viewer)).status).toBe(403)
  expect((await lend(account, account.stranger)).status).toBe(404)
  expect((await lend(account, undefined)).location).toStartWith('/sign-in')
  expect((await site.acts(account.id)).map(({ act, subject }) => [act, subject])).toEqual([['key.lent', 'k1']])
  const [sent] = site.gateway.seen.filter(({ method, path }) => method === 'POST' && path.includes(account.id))
  const { expires_at } = (sent?.body ?? {}) as { expires_at?: string }
  expect(Math.round((Date.parse(expires_at ?? '') - Date.now()) / 60_000)).toBe(60)
})

test('what the reference’s page gave with its question comes back with the key, and nothing that it could not have given', async () => {
  const account = await accountWithKeys()
  const state = '0123456789abcdef'
  expect((await site.ask(account.owner, `/try-it?state=${state}`)).text).toContain(`<input type="hidden" name="state" value="${state}">`)
  const keys = async (given: string) =>
    (await site.ask(account.owner, '/try-it', { form: { account: account.id, state: given } })).location?.replace(/^[^#]*/, '')
  expect(await keys(state)).toBe(`#key=sk_live_k1&state=${state}`)
  expect(await keys('x&key=sk_live_other')).toBe('#key=sk_live_k2')
  expect((await site.ask(account.owner, '/try-it?state=%22%3E')).text).not.toContain('name="state"')
})

test('who is lent another loses the one before, and no key that somebody made and named alike', async () => {
  const account = await accountWithKeys()
  for (const who of [account.other, account.owner, account.other]) await lend(account, who)
  expect(account.revoked()).toEqual(['k1'])
})

test('of two that are lent at one moment one is left', async () => {
  const account = await accountWithKeys()
  await Promise.all([lend(account, account.owner), lend(account, account.owner)])
  expect(['k1', 'k2'].filter(key => !account.revoked().includes(key))).toHaveLength(1)
})

test('where the account has no room for a key the person is told so, and none is lent', async () => {
  const account = await accountWithKeys()
  site.gateway.on(`POST /accounts/${account.id}/keys`, () => refusal(409, 'too_many_keys', 'An account has at most 20 keys that work.'))
  const { status, text, location } = await lend(account, account.owner)
  expect([status, text.includes('at most 20 keys'), location]).toEqual([400, true, null])
  expect(await site.acts(account.id)).toEqual([])
})

test('what was lent to an owner ends when they are removed, step down, leave or are deleted', async () => {
  const at = (account: { path: string; other: Someone }) => `${account.path}/members/${account.other.id}`
  type Account = Awaited<ReturnType<typeof accountWithKeys>>
  const ends: ((account: Account) => Promise<{ status: number }>)[] = [
    account => site.ask(account.owner, `${at(account)}/remove`, { form: {} }),
    account => site.ask(account.owner, `${at(account)}/role`, { form: { role: 'member' } }),
    account => site.ask(account.other, `${account.path}/members/leave`, { form: {} }),
    account => site.ask(account.other, '/security/delete', { form: { email: account.other.email } }),
  ]
  for (const end of ends) {
    const account = await accountWithKeys()
    for (const who of [account.owner, account.other]) await lend(account, who)
    expect((await end(account)).status).toBe(303)
    expect(account.revoked()).toEqual(['k2'])
  }
})

test('where the gateway can’t be reached the owner is removed all the same, and whoever did it is told of the key', async () => {
  const account = await accountWithKeys()
  await lend(account, account.other)
  site.gateway.on(`DELETE /accounts/${account.id}/keys/:key`, () => refusal(503, 'service_unavailable'))
  const { status, text } = await site.ask(account.owner, `${account.path}/members/${account.other.id}/remove`, { form: {} })
  expect([status, text.includes('expires within the hour')]).toEqual([503, true])
  expect((await site.ask(account.other, `${account.path}/members`)).status).toBe(404)
})

test('a key is lent only after a sign-in of the last quarter of an hour', async () => {
  const account = await site.newAccount()
  await site.rest(account.owner.id)
  for (const asked of [await site.ask(account.owner, '/try-it'), await lend(account, account.owner)])
    expect([asked.status, asked.location]).toEqual([303, expect.stringContaining('/security/confirm?next=')])
  expect(site.gateway.seen.filter(({ path }) => path.includes(account.id))).toEqual([])
  expect((await site.ask(account.member, '/try-it')).status).toBe(200)
})

test('the menu’s Docs lead to the reference, signed in or not', async () => {
  const { owner } = await site.newAccount()
  for (const visitor of [owner, undefined]) {
    const { status, location } = await site.ask(visitor, '/docs')
    expect([status, location]).toEqual([303, 'https://api.example.com/docs'])
  }
})
