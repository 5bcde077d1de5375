import { afterAll, expect, test } from 'bun:test'
import { goodPassword, linkIn, signUpPerson, testConsole } from '../testing/test-console'

const it = await testConsole({ signInsPerAddress: 20 })
afterAll(it.drop)

const email = 'ada@example.com'
await signUpPerson(it, it.browser(), email)
const cookie = '__Host-filmgate.session_token'

test('a sign-in begins a session of its own: neither a cookie given before nor the session before it goes on', async () => {
  const browser = it.browser('198.51.100.1')
  browser.cookies.set(cookie, 'chosen-by-somebody.else')
  await browser.post('/sign-in', { email, password: goodPassword })
  const first = browser.cookies.get(cookie) ?? ''
  expect(first).not.toBe('chosen-by-somebody.else')
  const thief = it.browser()
  thief.cookies.set(cookie, first)
  expect((await thief.get('/')).location).toStartWith('/accounts/')
  await browser.post('/sign-in', { email, password: goodPassword })
  expect(browser.cookies.get(cookie)).not.toBe(first)
  expect((await thief.get('/')).location).toStartWith('/sign-in')
  // The prompt that the playground keeps in the browser goes, too.
  expect((await browser.post('/sign-out')).headers.get('clear-site-data')).toBe('"storage"')
  const [row] = await it.sql`select count(*)::int as sessions from session where token like ${`${first.split('.')[0]}%`}`
  expect(row?.sessions).toBe(0)
})

test('a wrong password and an unknown address are answered with the same page', async () => {
  const browser = it.browser('198.51.100.2')
  const wrong = await browser.post('/sign-in', { email, password: 'not the password' })
  const unknown = await browser.post('/sign-in', { email: 'nobody@example.com', password: 'not the password' })
  expect([wrong.status, wrong.text.replaceAll(email, '')]).toEqual([unknown.status, unknown.text.replaceAll('nobody@example.com', '')])
  const again = [await browser.post('/verify/again', { email }), await browser.post('/verify/again', { email: 'nobody@example.com' })]
  const reset = [await browser.post('/reset', { email }), await browser.post('/reset', { email: 'nobody@example.com' })]
  for (const [known, other] of [again, reset])
    expect([known?.status, known?.location, known?.text]).toEqual([other?.status, other?.location, other?.text])
})

test('nor do they differ in the time that an answer takes', async () => {
  const times: Record<'known' | 'unknown', number[]> = { known: [], unknown: [] }
  for (let round = 0; round < 9; round++)
    for (const kind of ['known', 'unknown'] as const) {
      await it.sql`delete from tries`
      const startedAt = performance.now()
      await it
        .browser('198.51.100.3')
        .post('/sign-in', { email: kind === 'known' ? email : `nobody${round}@example.com`, password: 'not the password' })
      times[kind].push(performance.now() - startedAt)
    }
  // No rejection is faster than the minimum, and the work after it is the same.
  expect(Math.min(...times.known, ...times.unknown)).toBeGreaterThanOrEqual(295)
  const ratio = Math.min(...times.known) / Math.min(...times.unknown)
  expect(ratio).toBeGreaterThan(0.67)
  expect(ratio).toBeLessThan(1.5)
}, 60_000)

test('one account is tried ten times, from however many addresses, also at one moment', async () => {
  const [known, unknown] = ['brute@example.com', 'brute-nobody@example.com']
  await signUpPerson(it, it.browser('198.51.100.4'), known)
  await it.sql`delete from tries`
  for (const target of [known, unknown]) {
    const tries = Array.from({ length: 14 }, (_, index) =>
      it.browser(`203.0.113.${index}`).post('/sign-in', { email: target, password: `not the password ${index}` }),
    )
    const statuses = (await Promise.all(tries)).map(({ status }) => status)
    expect(statuses.filter(status => status === 429)).toHaveLength(4)
  }
  const refused = await it.browser('203.0.113.99').post('/sign-in', { email: known, password: goodPassword })
  expect(refused.status).toBe(429)
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
}, 60_000)

test('one address tries so many accounts and no more', async () => {
  await it.sql`delete from tries`
  const browser = it.browser('203.0.113.200')
  const tries = Array.from({ length: 23 }, (_, index) => browser.post('/sign-in', { email: `many${index}@example.com`, password: 'x' }))
  const statuses = (await Promise.all(tries)).map(({ status }) => status)
  expect(statuses.filter(status => status === 429)).toHaveLength(3)
  expect((await it.browser('203.0.113.201').post('/sign-in', { email, password: goodPassword })).status).toBe(303)
}, 60_000)

test('after the sign-in only a path of the console is gone to', async () => {
  for (const next of ['//evil.example', 'https://evil.example/', '/\\evil.example', 'javascript:alert(1)'])
    expect((await it.browser('203.0.113.210').post('/sign-in', { email, password: goodPassword, next })).location).toBe('/')
  expect((await it.browser('203.0.113.210').post('/sign-in', { email, password: goodPassword, next: '/accounts/a/keys' })).location).toBe(
    '/accounts/a/keys',
  )
})

test('a link to a new password works once, ends all sessions, and is told by mail', async () => {
  const forgetful = 'forgetful@example.com'
  const before = it.browser('203.0.113.220')
  await signUpPerson(it, before, forgetful)
  const browser = it.browser('203.0.113.221')
  await browser.post('/reset', { email: forgetful })
  const token = new URLSearchParams(linkIn((await it.mailTo(forgetful)).text).split('?')[1]).get('token') ?? ''
  expect(await it.sql`select 1 from verification where identifier like ${`%${token}%`} or value like ${`%${token}%`}`).toHaveLength(0)
  expect((await browser.post('/reset/set', { token, password: 'short' })).status).toBe(400)
  const both = await Promise.all([1, 2].map(index => browser.post('/reset/set', { token, password: `a wholly new password ${index}` })))
  expect(both.map(({ status }) => status).toSorted()).toEqual([303, 410])
  expect((await before.get('/')).location).toStartWith('/sign-in')
  expect((await browser.post('/reset/set', { token, password: 'yet another password' })).status).toBe(410)
  expect((await it.browser().post('/sign-in', { email: forgetful, password: goodPassword })).status).toBe(400)
  expect((await it.mailTo(forgetful)).subject).toBe('Your password was changed by a link from your mailbox')
})

test('a link to a new password ends after its hour, and asking again makes another', async () => {
  const late = 'late@example.com'
  await signUpPerson(it, it.browser('203.0.113.230'), late)
  const browser = it.browser('203.0.113.231')
  const linkToken = async () => {
    await browser.post('/reset', { email: late })
    return new URLSearchParams(linkIn((await it.mailTo(late)).text).split('?')[1]).get('token') ?? ''
  }
  const first = await linkToken()
  const [row] = await it.sql<{ minutes: number }[]>`
    update verification set expires_at = expires_at - interval '61 minutes' where value = (select id from person where email = ${late})
    returning round(extract(epoch from expires_at - now()) / 60)::int as minutes`
  expect(row?.minutes).toBe(-1)
  expect((await browser.post('/reset/set', { token: first, password: 'a wholly new password' })).status).toBe(410)
  expect((await it.browser('203.0.113.232').post('/sign-in', { email: late, password: goodPassword })).status).toBe(303)
  const second = await linkToken()
  expect(second).not.toBe(first)
  expect((await browser.post('/reset/set', { token: second, password: 'a wholly new password' })).status).toBe(303)
})
