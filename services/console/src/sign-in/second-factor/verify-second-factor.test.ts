import { afterAll, expect, test } from 'bun:test'
import { enableTotp } from '../../testing/enable-totp'
import { goodPassword, signUpPerson, testConsole } from '../../testing/test-console'
import { totpAt } from '../../testing/totp'

const it = await testConsole()
afterAll(it.drop)

const challenge = '__Host-filmgate.two_factor'

test('a session and a code of one’s own answer nobody else’s second step', async () => {
  const [victim, mallory] = [it.browser(), it.browser()]
  await signUpPerson(it, victim, 'victim@example.com')
  await enableTotp(victim)
  await signUpPerson(it, mallory, 'mallory@example.com')
  const { secret } = await enableTotp(mallory)
  const pending = it.browser()
  await pending.post('/sign-in', { email: 'victim@example.com', password: goodPassword })
  mallory.cookies.set(challenge, pending.cookies.get(challenge) ?? '')
  const [{ count: before } = { count: 0 }] = await it.sql<{ count: number }[]>`select count(*)::int as count from audit_act`
  const answer = await mallory.post('/sign-in/second', { code: totpAt(secret, Date.now()) })
  expect([answer.status, answer.location]).toEqual([400, null])
  const [{ count: after } = { count: 0 }] = await it.sql<{ count: number }[]>`select count(*)::int as count from audit_act`
  expect(after).toBe(before)
  const [failures] = await it.sql<{ count: number }[]>`
    select failed_verification_count as count from two_factor join person on person.id = person_id where email = 'victim@example.com'`
  expect(failures?.count).toBe(1)
})

test('a cookie that is none leads back to the sign-in', async () => {
  for (const cookie of ['%', '%E0%A4%A', '.', 'a.b']) {
    const browser = it.browser()
    browser.cookies.set(challenge, cookie)
    const { status, location } = await browser.post('/sign-in/second', { code: '123456' })
    expect([cookie, status, location]).toEqual([cookie, 303, '/sign-in'])
  }
})
