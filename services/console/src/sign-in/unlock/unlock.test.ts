import { afterAll, expect, test } from 'bun:test'
import { enableTotp } from '../../testing/enable-totp'
import { goodPassword, linkIn, signUpPerson, testConsole } from '../../testing/test-console'

const it = await testConsole()
afterAll(it.drop)

const known = '__Host-filmgate.known_browser'

/** Signs up, and uses up the tries of the account. */
async function lockedAccount(email: string) {
  const owner = it.browser()
  await signUpPerson(it, owner, email)
  await Promise.all(
    Array.from({ length: 10 }, (_, index) => it.browser(`203.0.113.${index}`).post('/sign-in', { email, password: 'not the password' })),
  )
  return owner
}

const signIn = (browser: ReturnType<typeof it.browser>, email: string, password = goodPassword) =>
  browser.post('/sign-in', { email, password })

async function mailedToken(email: string): Promise<string> {
  await it.browser('203.0.113.50').post('/sign-in/unlock', { email })
  return new URLSearchParams(linkIn((await it.mailTo(email)).text).split('?')[1]).get('token') ?? ''
}

test('whoever is kept out of a new browser by a flood of tries gets in by a mailed link and their password', async () => {
  const email = 'flooded@example.com'
  await lockedAccount(email)
  const browser = it.browser('198.51.100.1')
  const refused = await signIn(browser, email)
  expect([refused.status, refused.text.includes('href="/sign-in/unlock"')]).toEqual([429, true])
  const token = await mailedToken(email)
  // A program that opens links uses none up.
  expect((await it.browser().get(`/sign-in/unlock?token=${token}`)).status).toBe(200)
  expect((await browser.post('/sign-in/unlock/use', { token })).location).toBe('/sign-in?done=unlocked')
  expect((await signIn(browser, email, 'not the password')).status).toBe(400)
  expect((await signIn(it.browser('198.51.100.2'), email)).status).toBe(429)
  expect((await signIn(browser, email)).location).toBe('/')
  const acts = await it.sql<{ act: string }[]>`select act from audit_act where person_email = ${email} order by id desc limit 2`
  expect(acts.map(({ act }) => act)).toEqual(['person.signed_in', 'person.browser_unlocked'])
})

test('the link works once, for an hour, is stored as a hash, and gives ten tries and no session', async () => {
  const email = 'once@example.com'
  await lockedAccount(email)
  const [token, late] = [await mailedToken(email), await mailedToken(email)]
  expect(await it.sql`select 1 from verification where identifier like ${`%${token}%`}`).toHaveLength(0)
  const browser = it.browser('198.51.100.3')
  await browser.post('/sign-in/unlock/use', { token })
  expect((await browser.get('/')).location).toStartWith('/sign-in')
  for (const [path, use] of [
    [`/sign-in/unlock?token=${token}`, it.browser().get],
    ['/sign-in/unlock/use', (path: string) => it.browser().post(path, { token })],
  ] as const)
    expect([path, (await use(path)).status]).toEqual([path, 410])
  const statuses: number[] = []
  for (let count = 0; count < 11; count++) statuses.push((await signIn(browser, email, 'not the password')).status)
  expect(statuses).toEqual([...Array<number>(10).fill(400), 429])
  await it.sql`update verification set expires_at = now() - interval '1 minute' where value = (select id from person where email = ${email})`
  const after = it.browser()
  expect((await after.post('/sign-in/unlock/use', { token: late })).status).toBe(410)
  expect(after.cookies.has(known)).toBe(false)
})

test('a code is still asked for, and the mailbox that was left lets nobody in', async () => {
  const email = 'coded@example.com'
  const owner = await lockedAccount(email)
  await enableTotp(owner)
  const [token, former] = [await mailedToken(email), await mailedToken(email)]
  const browser = it.browser('198.51.100.4')
  await browser.post('/sign-in/unlock/use', { token })
  expect((await signIn(browser, email)).location).toStartWith('/sign-in/second')
  await it.sql`update person set email = 'moved@example.com' where email = ${email}`
  expect((await it.browser().post('/sign-in/unlock/use', { token: former })).status).toBe(410)
})

test('an address without an account gets the same answer and no mail', async () => {
  await signUpPerson(it, it.browser(), 'known@example.com')
  const answers = await Promise.all(
    ['known@example.com', 'unknown@example.com'].map(email => it.browser().post('/sign-in/unlock', { email })),
  )
  expect(answers[0]?.text).toBe(answers[1]?.text)
  expect(answers.map(({ status }) => status)).toEqual([200, 200])
  expect(await it.sql`select 1 from mail where recipient = 'unknown@example.com'`).toHaveLength(0)
  expect((await it.browser().post('/sign-in/unlock', { email: 'no address' })).status).toBe(400)
})
