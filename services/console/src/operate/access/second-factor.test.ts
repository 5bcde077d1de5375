import { afterAll, beforeEach, expect, test } from 'bun:test'
import { oidcClient, startOidcProvider } from '../../testing/oidc-provider'
import type { Browser } from '../../testing/test-browser'
import { goodPassword, signUpPerson, type TestConsole, testConsole } from '../../testing/test-console'
import { totpAt } from '../../testing/totp'
import { connectServices } from '../services/connect-services'
import { operatorToken, startFakeServices } from '../testing/fake-services'

const consoleUrl = 'https://console.example.com'
const email = 'ada@example.com'
const provider = await startOidcProvider(`${consoleUrl}/auth/callback/oidc`, { ada: { email, email_verified: true, name: 'Ada' } })
const fake = startFakeServices()
const services = connectServices({ urls: fake.urls, token: operatorToken })
const consoleWhere = (oidcHasSecondFactor: boolean) =>
  testConsole({
    consoleUrl,
    oidc: { issuer: provider.issuer, ...oidcClient },
    operators: [{ email, role: 'money' }],
    operate: { services, secondFactorRequired: true, oidcHasSecondFactor },
  })
const [it, trusting] = await Promise.all([consoleWhere(false), consoleWhere(true)])
afterAll(() => Promise.all([it.drop(), trusting.drop(), provider.stop(), fake.stop()]))
beforeEach(async () => {
  for (const { sql } of [it, trusting]) await sql`truncate person, tries cascade`
})

async function signInByProvider(browser: Browser, path = '/sign-in/oidc'): Promise<void> {
  const page = await browser.post(path, { next: '/' })
  await browser.get(await provider.signIn((page.headers.get('refresh') ?? '').replace('0; url=', ''), 'ada'))
}

/** An operator with a password, codes and the OIDC provider, in a session opened this way. */
async function operatorWithCodes(at: TestConsole): Promise<string> {
  const browser = at.browser()
  await signUpPerson(at, browser, email)
  const { text } = await browser.post('/security/codes/start', { password: goodPassword })
  const [, secret = ''] = /id="totp-secret">([^<]+)/.exec(text) ?? []
  await browser.post('/security/codes/confirm', { uri: '', code: totpAt(secret, Date.now() - 30_000) })
  expect((await browser.get('/operate')).status).toBe(200)
  await signInByProvider(browser, '/security/oidc/connect')
  return secret
}
const sessions = (at: TestConsole) => at.sql`select opened_by as "openedBy", code_given as "codeGiven" from session order by created_at`

test('an operator who signs in by the provider is asked for a code before the pages open, and before anything takes the code’s place', async () => {
  const secret = await operatorWithCodes(it)
  const browser = it.browser()
  await signInByProvider(browser)
  expect([...(await sessions(it))].at(-1)).toEqual({ openedBy: 'oidc', codeGiven: false })
  const refused = await browser.get('/operate')
  expect([refused.status, refused.location]).toEqual([303, '/security/confirm?next=%2Foperate'])
  expect((await browser.get(refused.location ?? '')).text).toContain('Enter a code of your authenticator')
  for (const path of ['/security/passkeys/options', '/security/codes/off', '/security/codes/start', '/security/password'])
    expect([path, (await browser.post(path)).location]).toEqual([path, expect.stringContaining('/security/confirm')])
  await browser.post('/security/confirm', { password: goodPassword, next: '/operate' })
  expect((await browser.get('/operate')).status).toBe(303)
  const wrong = await browser.post('/security/confirm/code', { code: '000000', next: '/operate' })
  expect([wrong.status, wrong.text.includes('The code is wrong')]).toEqual([400, true])
  const code = totpAt(secret, Date.now())
  expect((await browser.post('/security/confirm/code', { code, next: '/operate' })).location).toBe('/operate')
  expect((await browser.get('/operate')).status).toBe(200)
  const another = it.browser()
  await signInByProvider(another)
  expect((await another.post('/security/confirm/code', { code, next: '/operate' })).status).toBe(400)
})

test('a password with a code opens them, also after the password was changed; a session of before the column does not', async () => {
  const secret = await operatorWithCodes(it)
  const browser = it.browser()
  await browser.post('/sign-in', { email, password: goodPassword })
  await browser.post('/sign-in/second', { code: totpAt(secret, Date.now()) })
  expect((await browser.get('/operate')).status).toBe(200)
  const fields = { current_password: goodPassword, new_password: 'another lantern, dry slate' }
  expect((await browser.post('/security/password', fields)).location).toBe('/security?done=password')
  expect((await browser.get('/operate')).status).toBe(200)
  expect([...(await sessions(it))]).toEqual([{ openedBy: 'password', codeGiven: true }])
  await it.sql`update session set opened_by = null, code_given = false`
  expect((await browser.get('/operate')).location).toBe('/security/confirm?next=%2Foperate')
})

test('where the provider is known to ask for a second factor its sign-in opens them, but not beside a password without codes', async () => {
  const browser = trusting.browser()
  await signInByProvider(browser)
  expect((await browser.get('/operate')).status).toBe(200)
  const [untrusted, second] = [it.browser(), trusting.browser()]
  await signInByProvider(untrusted)
  const refused = await untrusted.get('/operate')
  expect([refused.status, refused.text.includes('need a second factor')]).toEqual([403, true])
  await browser.post('/security/password', { new_password: goodPassword })
  await second.post('/sign-in', { email, password: goodPassword })
  expect([(await browser.get('/operate')).status, (await second.get('/operate')).status]).toEqual([403, 403])
})
