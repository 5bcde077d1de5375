import { afterAll, expect, test } from 'bun:test'
import { enableTotp } from '../testing/enable-totp'
import type { Browser } from '../testing/test-browser'
import { goodPassword, linkIn, signUpPerson, testConsole } from '../testing/test-console'
import { totpAt } from '../testing/totp'

const it = await testConsole()
afterAll(it.drop)

const newPassword = 'another lantern, dry slate'

async function signedUp(email: string): Promise<Browser> {
  const browser = it.browser()
  await signUpPerson(it, browser, email)
  return browser
}

const tokenIn = async (email: string) => new URLSearchParams(linkIn((await it.mailTo(email)).text).split('?')[1]).get('token') ?? ''

/** Requests a link and returns its token. */
async function askLink(email: string): Promise<string> {
  await it.browser().post('/reset', { email })
  return tokenIn(email)
}

const use = async (token: string) => (await it.browser().post('/reset/set', { token, password: newPassword })).status

test('of two links to a new password the one that is used ends the other', async () => {
  const email = 'reset@example.com'
  await signedUp(email)
  const tokens = [await askLink(email), await askLink(email)]
  expect([await use(tokens[1] ?? ''), await use(tokens[0] ?? '')]).toEqual([303, 410])
})

test('a password that is changed ends the links to a new one', async () => {
  const email = 'changed@example.com'
  const browser = await signedUp(email)
  const tokens = [await askLink(email), await askLink(email)]
  const changed = await browser.post('/security/password', { current_password: goodPassword, new_password: newPassword })
  expect(changed.location).toBe('/security?done=password')
  expect([await use(tokens[0] ?? ''), await use(tokens[1] ?? '')]).toEqual([410, 410])
})

test('an address that is changed ends the links that the former mailbox has, and nobody else’s', async () => {
  const [email, newEmail, other] = ['before@example.com', 'after@example.com', 'other@example.com']
  const browser = await signedUp(email)
  await signedUp(other)
  const [token, ofOther] = [await askLink(email), await askLink(other)]
  await browser.post('/security/email', { email: newEmail })
  expect((await browser.post('/verify', { token: await tokenIn(newEmail) })).location).toBe('/security?done=email')
  expect([await use(token), await use(ofOther)]).toEqual([410, 303])
})

test('a new password ends a sign-in by the former one that waits for its second factor', async () => {
  const email = 'waiting@example.com'
  const browser = await signedUp(email)
  const { secret } = await enableTotp(browser)
  const other = it.browser()
  expect((await other.post('/sign-in', { email, password: goodPassword })).location).toStartWith('/sign-in/second')
  await browser.post('/security/password', { current_password: goodPassword, new_password: newPassword })
  expect((await other.post('/sign-in/second', { code: totpAt(secret, Date.now()) })).location).toBe('/sign-in')
})
