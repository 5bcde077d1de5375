import { afterAll, expect, test } from 'bun:test'
import type { Browser } from '../testing/test-browser'
import { goodPassword, signUpPerson, testConsole } from '../testing/test-console'

const it = await testConsole()
afterAll(it.drop)

const known = '__Host-filmgate.known_browser'
const wrongPassword = 'not the password of anybody'

async function signedUp(email: string): Promise<Browser> {
  const browser = it.browser()
  await signUpPerson(it, browser, email)
  return browser
}

/** Uses up the account's limit. */
async function lock(email: string): Promise<void> {
  for (let count = 0; count < 10; count++) await it.browser(`203.0.113.${count}`).post('/sign-in', { email, password: wrongPassword })
  expect((await it.browser().post('/sign-in', { email, password: goodPassword })).status).toBe(429)
}

const signIn = async (browser: Browser, email: string, password = goodPassword) =>
  (await browser.post('/sign-in', { email, password })).status

test('whoever tries an account from elsewhere does not keep out a browser that has signed in to it before', async () => {
  const email = 'ada@example.com'
  const browser = await signedUp(email)
  await browser.post('/sign-out')
  await lock(email)
  expect(await signIn(browser, email)).toBe(303)
  await lock(email)
  expect(await signIn(browser, email)).toBe(303)
})

test('a cookie that is forged, of another person, or used up gives no tries', async () => {
  const [email, mallory] = ['bob@example.com', 'mallory@example.com']
  const [browser, other] = [await signedUp(email), await signedUp(mallory)]
  await lock(email)
  const [nonce = '', proof = ''] = (browser.cookies.get(known) ?? '').split('.')
  const cookies = [
    `${'A'.repeat(nonce.length)}.${proof}`,
    `${nonce}.${proof.slice(1)}`,
    `${nonce}.`,
    nonce,
    '%',
    other.cookies.get(known) ?? '',
  ]
  for (const cookie of cookies) {
    const attacker = it.browser('203.0.113.50')
    attacker.cookies.set(known, cookie)
    expect([cookie, await signIn(attacker, email)]).toEqual([cookie, 429])
  }
  await browser.post('/sign-out')
  const statuses: number[] = []
  for (let count = 0; count < 11; count++) statuses.push(await signIn(browser, email, wrongPassword))
  expect(statuses).toEqual([...Array<number>(10).fill(400), 429])
})

test('the cookie is the console’s own, and says nothing of whose it is', async () => {
  const browser = it.browser()
  await signUpPerson(it, browser, 'eve@example.com')
  const { headers } = await browser.post('/sign-in', { email: 'eve@example.com', password: goodPassword })
  const [cookie = ''] = headers.getSetCookie().filter(line => line.startsWith(known))
  expect(cookie).toMatch(/^__Host-filmgate\.known_browser=[\w-]{22}\.[\w-]{43}; Max-Age=31536000; Path=\/; HttpOnly; SameSite=Lax; Secure$/)
})

test('links that somebody has sent without end are answered as always, and no longer sent', async () => {
  const email = 'mailed@example.com'
  await signedUp(email)
  const answers: (string | null)[] = []
  for (let count = 0; count < 7; count++) answers.push((await it.browser(`203.0.113.${count}`).post('/reset', { email })).location)
  expect(answers).toEqual(Array<string>(7).fill('/reset/sent'))
  expect(await it.sql`select 1 from mail where recipient = ${email} and subject = 'Choose a new password'`).toHaveLength(5)
})
