import { afterAll, expect, test } from 'bun:test'
import { enableTotp } from '../testing/enable-totp'
import type { Browser } from '../testing/test-browser'
import { goodPassword, signUpPerson, testConsole } from '../testing/test-console'
import { totpAt } from '../testing/totp'

const it = await testConsole()
afterAll(it.drop)

const newPassword = 'another lantern, dry slate'
const signIn = async (email: string, password = goodPassword): Promise<Browser> => {
  const browser = it.browser()
  await browser.post('/sign-in', { email, password })
  return browser
}
const isIn = async (browser: Browser) => (await browser.get('/security/confirm')).status === 200
const acts = async (email: string) =>
  (await it.sql`select act from audit_act where person_email = ${email} order by id`).map(row => row.act)

test('a code is asked for after the password, and each is good once', async () => {
  const email = 'codes@example.com'
  const browser = it.browser()
  await signUpPerson(it, browser, email)
  const { secret } = await enableTotp(browser)
  expect(await isIn(browser)).toBe(true)
  const second = it.browser()
  const asked = await second.post('/sign-in', { email, password: goodPassword })
  expect(asked.location).toBe('/sign-in/second?next=%2F')
  expect(await isIn(second)).toBe(false)
  expect((await second.post('/sign-in/second', { code: '123456' })).status).toBe(400)
  const code = totpAt(secret, Date.now())
  expect((await second.post('/sign-in/second', { code, next: '/security' })).location).toBe('/security')
  expect(await isIn(second)).toBe(true)
  const third = it.browser()
  await third.post('/sign-in', { email, password: goodPassword })
  expect((await third.post('/sign-in/second', { code })).status).toBe(400)
  expect(await isIn(third)).toBe(false)
  expect((await it.mailTo(email)).subject).toBe('Authenticator codes were turned on')
})

test('a backup code signs in once; without the password’s step no code does', async () => {
  const email = 'backup@example.com'
  const browser = it.browser()
  await signUpPerson(it, browser, email)
  const { backup } = await enableTotp(browser)
  expect(backup).toHaveLength(10)
  const [code = ''] = backup
  const take = async () => {
    const other = it.browser()
    await other.post('/sign-in', { email, password: goodPassword })
    return (await other.post('/sign-in/second', { code })).status
  }
  expect([await take(), await take()]).toEqual([303, 400])
  expect((await it.browser().post('/sign-in/second', { code: backup[1] ?? '' })).location).toBe('/sign-in')
})

test('new backup codes void the old ones, and codes are turned off by the password alone', async () => {
  const email = 'off@example.com'
  const browser = it.browser()
  await signUpPerson(it, browser, email)
  const { backup } = await enableTotp(browser)
  const ask = async () => {
    const other = it.browser()
    return { other, location: (await other.post('/sign-in', { email, password: goodPassword })).location }
  }
  const takes = async (code = '') => (await (await ask()).other.post('/sign-in/second', { code })).status
  expect((await browser.post('/security/codes/backup', { password: 'not the password' })).location).toBe('/security?error=codes#codes')
  const { text } = await browser.post('/security/codes/backup', { password: goodPassword })
  const fresh = /id="backup-codes">([^<]+)/.exec(text)?.[1]?.split('\n') ?? []
  expect(fresh).toHaveLength(10)
  expect([await takes(backup[0]), await takes(fresh[0])]).toEqual([400, 303])
  expect(await it.sql`select 1 from two_factor where secret ~ '^[A-Z2-7]{16,}$' or backup_codes like ${`%${fresh[1]}%`}`).toHaveLength(0)

  expect((await browser.post('/security/codes/off', { password: 'not the password' })).location).toBe('/security?error=codes#codes')
  expect((await ask()).location).toBe('/sign-in/second?next=%2F')
  expect((await browser.post('/security/codes/off', { password: goodPassword })).location).toBe('/security?done=codes_off')
  const { other, location } = await ask()
  expect([location, await isIn(other)]).toEqual(['/', true])
  expect((await it.mailTo(email)).subject).toBe('Authenticator codes were turned off')
  expect(await it.sql`select 1 from two_factor join person on person.id = person_id where email = ${email}`).toHaveLength(0)
})

test('codes are guessed at ten times and no more, however many sign-ins they are spread over', async () => {
  const email = 'guessed@example.com'
  const browser = it.browser()
  await signUpPerson(it, browser, email)
  await enableTotp(browser)
  await it.sql`delete from tries`
  const statuses: number[] = []
  for (let round = 0; round < 4; round++) {
    const other = it.browser(`192.0.2.${round + 10}`)
    await other.post('/sign-in', { email, password: goodPassword })
    for (let index = 0; index < 4; index++)
      statuses.push((await other.post('/sign-in/second', { code: String(100_000 + round * 4 + index) })).status)
  }
  expect(statuses.filter(status => status === 400)).toHaveLength(10)
  expect(statuses.slice(-6)).toEqual([429, 429, 429, 429, 429, 429])
})

test('a new password ends all other sessions, gives this one a new id, and is told by mail', async () => {
  const email = 'changed@example.com'
  const browser = it.browser()
  await signUpPerson(it, browser, email)
  const other = await signIn(email)
  const before = browser.cookies.get('__Host-filmgate.session_token')
  expect((await browser.post('/security/password', { current_password: 'not the password', new_password: newPassword })).status).toBe(400)
  expect((await browser.post('/security/password', { current_password: goodPassword, new_password: 'short' })).status).toBe(400)
  expect(await isIn(other)).toBe(true)
  const changed = await browser.post('/security/password', { current_password: goodPassword, new_password: newPassword })
  expect(changed.location).toBe('/security?done=password')
  expect([await isIn(browser), await isIn(other)]).toEqual([true, false])
  expect(browser.cookies.get('__Host-filmgate.session_token')).not.toBe(before)
  expect(await isIn(await signIn(email))).toBe(false)
  expect(await isIn(await signIn(email, newPassword))).toBe(true)
  expect((await it.mailTo(email)).subject).toBe('Your password was changed')
  expect(await acts(email)).toContain('person.password_changed')
})

test('what changes the sign-in needs a recent one, or the password again', async () => {
  const email = 'rested@example.com'
  const browser = it.browser()
  await signUpPerson(it, browser, email)
  await it.sql`update session set confirmed_at = now() - interval '16 minutes'`
  for (const path of [
    '/security/password',
    '/security/email',
    '/security/codes/start',
    '/security/sessions/end-others',
    '/security/passkeys/x/remove',
  ])
    expect((await browser.post(path)).location).toStartWith('/security/confirm')
  expect((await browser.get('/security')).location).toBe('/security/confirm?next=%2Fsecurity')
  expect((await browser.post('/security/confirm', { password: 'not the password', next: '/security' })).status).toBe(400)
  expect((await browser.post('/security/confirm', { password: goodPassword, next: '//evil.example' })).location).toBe('/security')
  expect((await browser.get('/security')).status).toBe(200)
})

test('sessions are listed and ended, nobody else’s', async () => {
  const [mine, theirs] = ['mine@example.com', 'theirs@example.com']
  const [browser, stranger] = [it.browser(), it.browser()]
  await signUpPerson(it, browser, mine)
  await signUpPerson(it, stranger, theirs)
  const other = await signIn(mine)
  const [own] = await it.sql<
    { id: string }[]
  >`select session.id from session join person on person.id = person_id where email = ${mine} order by session.created_at desc`
  expect((await stranger.post(`/security/sessions/${own?.id}/end`)).status).toBe(404)
  expect(await isIn(other)).toBe(true)
  expect((await browser.post(`/security/sessions/${own?.id}/end`)).status).toBe(303)
  expect([await isIn(other), await isIn(browser), await isIn(stranger)]).toEqual([false, true, true])
})

test('a person’s name is one line without a link, and is not said to a new address', async () => {
  const browser = it.browser()
  await signUpPerson(it, browser, 'named@example.com')
  for (const name of ['two\nlines', 'https://evil.example']) expect((await browser.post('/security/name', { name })).status).toBe(400)
  await browser.post('/security/name', { name: 'Call 555 0199' })
  await browser.post('/security/email', { email: 'stranger@example.com' })
  expect((await it.mailTo('stranger@example.com')).text).not.toContain('555 0199')
})

test('a new name, and each confirmation, is in the log', async () => {
  const email = 'logged@example.com'
  const browser = it.browser()
  await signUpPerson(it, browser, email)
  const { secret, backup } = await enableTotp(browser)
  const before = (await acts(email)).length
  for (const name of ['Grace', 'Grace']) await browser.post('/security/name', { name })
  expect((await browser.post('/security/confirm', { password: 'not the password' })).status).toBe(400)
  await browser.post('/security/confirm', { password: goodPassword })
  await browser.post('/security/confirm/code', { code: totpAt(secret, Date.now() + 30_000) })
  await browser.post('/security/confirm/code', { code: backup[0] ?? '' })
  const logged = await it.sql<
    { act: string; details: object }[]
  >`select act, details from audit_act where person_email = ${email} order by id`
  expect([...logged].slice(before)).toEqual([
    { act: 'person.renamed', details: { from: 'Ada', to: 'Grace' } },
    { act: 'person.confirmed', details: { by: 'password' } },
    { act: 'person.confirmed', details: { by: 'code' } },
    { act: 'person.confirmed', details: { by: 'backup code' } },
  ])
})

test('a new address counts once its link was opened by the person; one that somebody has gets no link', async () => {
  const [email, next] = ['old@example.com', 'new@example.com']
  const browser = it.browser()
  await signUpPerson(it, browser, email)
  await signUpPerson(it, it.browser(), 'taken@example.com')
  const taken = await browser.post('/security/email', { email: 'taken@example.com' })
  const asked = await browser.post('/security/email', { email: next })
  expect([taken.status, taken.location]).toEqual([asked.status, asked.location])
  expect((await it.mailTo('taken@example.com')).subject).not.toBe('Confirm your new e-mail address')
  const { text } = await it.mailTo(next)
  const token = /token=(\S+)/.exec(text)?.[1] ?? ''
  const stranger = await signIn('taken@example.com')
  expect((await stranger.post('/verify', { token })).status).toBe(404)
  expect((await browser.post('/verify', { token })).location).toBe('/security?done=email')
  expect((await browser.post('/verify', { token })).status).toBe(410)
  expect(await isIn(await signIn(next))).toBe(true)
  expect((await it.mailTo(email)).subject).toBe(`Your e-mail address was changed to ${next}`)
})
