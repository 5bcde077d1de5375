import { afterAll, expect, test } from 'bun:test'
import { hashToken, newToken } from '../invitations/token'
import { deleteUnverifiedBefore } from '../people/person-repository'
import { goodPassword, linkIn, signUpPerson, testConsole } from '../testing/test-console'

const it = await testConsole({ deniedDomains: ['mailinator.com'] })
afterAll(it.drop)

test('a person signs up, confirms the address in the same browser and is signed in, with an account to be opened', async () => {
  const browser = it.browser()
  const sent = await browser.post('/sign-up', { name: 'Ada', email: 'Ada@Example.com', password: goodPassword })
  expect([sent.status, sent.location]).toEqual([303, '/sign-up/sent'])
  const path = linkIn((await it.mailTo('ada@example.com')).text)
  const shown = await browser.get(path)
  expect(shown.status).toBe(200)
  expect(shown.text).not.toContain('type="password"')
  const confirmed = await browser.post('/verify', { token: new URLSearchParams(path.split('?')[1]).get('token') ?? '' })
  expect([confirmed.status, confirmed.location]).toEqual([303, '/'])
  const [cookie = ''] = confirmed.headers.getSetCookie().filter(line => line.includes('session_token'))
  expect(cookie).toMatch(/^__Host-filmgate\.session_token=[^;]+; Max-Age=43200; Path=\/; HttpOnly; Secure; SameSite=Lax$/)
  const root = await browser.get('/')
  expect(root.location).toMatch(/^\/accounts\/acc_/)
  expect(
    await it.sql`select account.name, role, email_verified as verified from account_opening join account on account.id = account_id
    join membership using (account_id) join person on person.id = membership.person_id`,
  ).toEqual([{ name: 'Ada', role: 'owner', verified: true }] as never)
})

test('the link works once', async () => {
  const browser = it.browser()
  await browser.post('/sign-up', { name: 'Bo', email: 'bo@example.com', password: goodPassword })
  const token = new URLSearchParams(linkIn((await it.mailTo('bo@example.com')).text).split('?')[1]).get('token') ?? ''
  expect((await browser.post('/verify', { token })).status).toBe(303)
  const again = it.browser()
  expect((await again.post('/verify', { token, password: goodPassword })).status).toBe(410)
  expect(again.cookies.size).toBe(0)
  expect((await it.browser().get(`/verify?token=${token}`)).status).toBe(410)
})

test('in another browser the password is asked for, so that nobody confirms what somebody else chose', async () => {
  await it.browser().post('/sign-up', { name: 'Mallory', email: 'victim@example.com', password: 'a password of Mallory' })
  const token = new URLSearchParams(linkIn((await it.mailTo('victim@example.com')).text).split('?')[1]).get('token') ?? ''
  const victim = it.browser()
  expect((await victim.get(`/verify?token=${token}`)).text).toContain('type="password"')
  expect((await victim.post('/verify', { token })).status).toBe(400)
  expect((await victim.post('/verify', { token, password: goodPassword })).status).toBe(400)
  await signUpPerson(it, victim, 'victim@example.com', 'Victim')
  expect((await victim.get('/')).location).toMatch(/^\/accounts\//)
  expect((await it.browser().post('/sign-in', { email: 'victim@example.com', password: 'a password of Mallory' })).status).toBe(400)
  expect((await it.browser().post('/verify', { token, password: 'a password of Mallory' })).status).toBe(410)
})

test('a known address gets the same answer, and a mail that says so', async () => {
  await signUpPerson(it, it.browser(), 'known@example.com')
  const [known, unknown] = [it.browser(), it.browser()]
  const told = await known.post('/sign-up', { name: 'Eve', email: 'known@example.com', password: 'another long password' })
  const other = await unknown.post('/sign-up', { name: 'Eve', email: 'unknown@example.com', password: 'another long password' })
  expect([told.status, told.location, told.text]).toEqual([other.status, other.location, other.text])
  expect([...known.cookies.keys()]).toEqual([...unknown.cookies.keys()])
  expect((await it.mailTo('known@example.com')).subject).toBe('You already have an account')
  expect((await it.browser().post('/sign-in', { email: 'known@example.com', password: goodPassword })).status).toBe(303)
})

test('what would be guessed first, is too short, too long, or of a denied domain is refused with words', async () => {
  const browser = it.browser()
  const refused = async (fields: Record<string, string>) => {
    const { status, text } = await browser.post('/sign-up', { name: 'Ada', email: 'ada2@example.com', password: goodPassword, ...fields })
    return [status, /class="issue"[^>]*>([^<]+)/.exec(text)?.[1]]
  }
  for (const password of ['short', 'password1234', 'qwertyuiop123', 'aaaaaaaaaaaaaa', 'ada2@example.com', 'x'.repeat(129)])
    expect(await refused({ password })).toEqual([400, expect.any(String)])
  expect(await refused({ email: 'a@sub.mailinator.com' })).toEqual([400, 'Addresses of this domain can’t sign up. Use another address.'])
  expect(await refused({ email: 'no address' })).toEqual([400, 'This is not a valid e-mail address.'])
  expect(await it.sql`select 1 from person where email like 'ada2%'`).toHaveLength(0)
})

test('a name that is a link or has two lines is no name, and a mail to an address that is not proven says none', async () => {
  const browser = it.browser()
  for (const name of ['You won https://evil.example', 'www.evil.example', 'two\nlines'])
    expect((await browser.post('/sign-up', { name, email: 'victim@example.com', password: goodPassword })).status).toBe(400)
  await browser.post('/sign-up', { name: 'Call 555 0199', email: 'victim@example.com', password: goodPassword })
  const confirm = await it.mailTo('victim@example.com')
  await browser.post('/reset', { email: 'victim@example.com' })
  const reset = await it.mailTo('victim@example.com')
  expect(reset.subject).not.toBe(confirm.subject)
  for (const { text } of [confirm, reset]) expect(text).not.toContain('555 0199')
})

test('who has not confirmed the address for so long is forgotten, and nobody else', async () => {
  for (const email of ['forgotten@example.com', 'waiting@example.com'])
    await it.browser().post('/sign-up', { name: 'Ada', email, password: goodPassword })
  await signUpPerson(it, it.browser(), 'kept@example.com')
  await it.sql`update person set created_at = now() - interval '8 days' where email in ('forgotten@example.com', 'kept@example.com')`
  await deleteUnverifiedBefore(it.sql, new Date(Date.now() - 7 * 86_400_000))
  const left = await it.sql<{ email: string }[]>`
    select email from person where email in ('forgotten@example.com', 'waiting@example.com', 'kept@example.com') order by email`
  expect(left.map(({ email }) => email)).toEqual(['kept@example.com', 'waiting@example.com'])
})

test('the forms after an invitation’s link have its address filled in, and go on to each other; other paths and ended links fill in nothing', async () => {
  const owner = it.browser()
  await signUpPerson(it, owner, 'inviter@example.com')
  const [member] = await it.sql<{ id: string; account: string }[]>`
    select person.id, account_id as account from person join membership on membership.person_id = person.id where email = 'inviter@example.com'`
  const token = newToken()
  await it.sql`
    insert into invitation (id, account_id, email, role, token_hash, invited_by, invited_by_id, expires_at)
    values ('i1', ${member?.account ?? ''}, 'invited@example.com', 'member', ${hashToken(token) ?? null}, 'inviter@example.com', ${member?.id ?? ''},
            now() + interval '1 day')`
  const next = `/invitations/${token}`
  const emailIn = async (path: string, to: string) => {
    const { text } = await it.browser().get(`${path}?next=${encodeURIComponent(to)}`)
    return [/name="email"[^>]* value="([^"]*)"/.exec(text)?.[1], text.includes(`?next=${encodeURIComponent(to)}"`)]
  }
  expect([await emailIn('/sign-up', next), await emailIn('/sign-in', next)]).toEqual([
    ['invited@example.com', true],
    ['invited@example.com', true],
  ])
  for (const other of ['/', '/invitations/x', `/accounts?to=${next}`]) expect((await emailIn('/sign-up', other))[0]).toBe('')
  await it.sql`update invitation set revoked_at = now()`
  expect((await emailIn('/sign-in', next))[0]).toBe('')
})
