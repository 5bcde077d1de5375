import { afterAll, expect, test } from 'bun:test'
import type { Secrets } from '@filmgate/kit/environment/secrets'
import { testDatabase } from '@filmgate/kit/testing'
import { insertStarterMailbox } from '../accounts/opening-repository'
import { mailboxKeys } from '../accounts/starter-rules'
import { migrationsFolder } from '../database/migrations-folder'
import { enableTotp } from '../testing/enable-totp'
import { goodPassword, linkIn, signUpPerson, testConsole } from '../testing/test-console'
import { totpAt } from '../testing/totp'
import { renewSecrets } from './renew-secrets'

const former = 'the-former-secret-of-at-least-32-characters'
const next = 'the-next-secret-of-at-least-32-characters'

const database = await testDatabase(migrationsFolder)
afterAll(database.drop)
const consoleWith = (...authSecrets: [string, ...string[]]) => testConsole({ database, authSecrets: authSecrets as Secrets })
const [before, accepting, using, after] = await Promise.all([
  consoleWith(former),
  consoleWith(former, next),
  consoleWith(next, former),
  consoleWith(next),
])
type Console = typeof before
const session = '__Host-filmgate.session_token'

/** The same browser at another console of the installation. */
function moved(browser: ReturnType<Console['browser']>, to: Console) {
  const other = to.browser()
  for (const [name, value] of browser.cookies) other.cookies.set(name, value)
  return other
}

test('a session opens every console on its way, is signed with the first secret there, and outlives the other', async () => {
  const browser = before.browser()
  await signUpPerson(before, browser, 'session@example.com')
  const own = browser.cookies.get(session)
  expect((await moved(browser, after).get('/security')).status).toBe(303)
  const early = moved(browser, accepting)
  expect([(await early.get('/security')).status, early.cookies.get(session)]).toEqual([200, own])
  const late = moved(browser, using)
  expect((await late.get('/security')).status).toBe(200)
  expect(late.cookies.get(session)).not.toBe(own)
  for (const other of [accepting, using, after]) expect((await moved(late, other).get('/security')).status).toBe(200)
  const forged = before.browser()
  forged.cookies.set(session, `${own?.split('.')[0]}.${'A'.repeat(43)}%3D`)
  expect((await moved(forged, using).get('/security')).status).toBe(303)
})

test('a sign-in that is begun at one console is ended with a code at the other, back and forth, and its second factor outlives the secret', async () => {
  const browser = before.browser()
  await signUpPerson(before, browser, 'codes@example.com')
  const { secret, backup } = await enableTotp(browser)
  const signIn = async (at: Console, then: Console, code: string) => {
    const pending = at.browser()
    await pending.post('/sign-in', { email: 'codes@example.com', password: goodPassword })
    const ending = moved(pending, then)
    const answer = await ending.post('/sign-in/second', { code })
    return [answer.status, ending.cookies.has(session)]
  }
  const done = [303, true]
  expect(await signIn(accepting, using, totpAt(secret, Date.now()))).toEqual(done)
  expect(await signIn(using, accepting, backup[0] ?? '')).toEqual(done)
  expect(await signIn(accepting, using, backup[1] ?? '')).toEqual(done)
  expect(await signIn(using, after, backup[2] ?? '')).toEqual(done)
  expect(await signIn(after, after, backup[2] ?? '')).toEqual([400, false])
})

test('links in mails count under each accepted secret', async () => {
  const browser = before.browser()
  await browser.post('/sign-up', { name: 'Ada', email: 'links@example.com', password: goodPassword })
  const token = new URLSearchParams(linkIn((await before.mailTo('links@example.com')).text).split('?')[1]).get('token') ?? ''
  expect((await moved(browser, after).post('/verify', { token })).status).toBe(410)
  const confirming = moved(browser, using)
  expect((await confirming.post('/verify', { token })).status).toBe(303)

  await confirming.post('/security/email', { email: 'links2@example.com' })
  const change = new URLSearchParams(linkIn((await using.mailTo('links2@example.com')).text).split('?')[1]).get('token') ?? ''
  const back = await moved(confirming, accepting).post('/verify', { token: change })
  expect([back.status, back.location]).toEqual([303, '/security?done=email'])
})

test('renewed, second factors and mailboxes stand under the first secret; what no secret opens is counted', async () => {
  const { sql } = database
  const browser = before.browser()
  await signUpPerson(before, browser, 'renewed@example.com')
  const { backup } = await enableTotp(browser)
  const keep = (secrets: Secrets) => sql.begin(sql => insertStarterMailbox(sql, mailboxKeys(secrets, 'renewed@example.com')))
  await sql`truncate starter_mailbox`
  expect([await keep([former]), await keep([next, former]), await keep([former, next])]).toEqual([true, false, false])
  const renewed = await renewSecrets({ sql, authSecrets: [next, former] }, '')
  expect(renewed).toMatchObject({ secret: 'FILMGATE_CONSOLE_SECRET', renewed: 1, left: 0, next: null })
  expect([await keep([next]), await keep([former, next])]).toEqual([false, false])
  const pending = after.browser()
  await pending.post('/sign-in', { email: 'renewed@example.com', password: goodPassword })
  expect((await pending.post('/sign-in/second', { code: backup[0] ?? '' })).status).toBe(303)
  expect(await renewSecrets({ sql, authSecrets: ['s'.repeat(32)] }, '')).toMatchObject({ renewed: 0, left: 2 })
})
