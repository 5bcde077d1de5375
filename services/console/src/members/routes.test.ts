import { afterAll, beforeAll, expect, test } from 'bun:test'
import { Elysia } from 'elysia'
import type { Gateway } from '../gateway/gateway'
import { invitations } from '../invitations/routes'
import { openConsole, type TestConsole } from '../testing/open-console'
import { ownersOnly, readers, whoMay } from '../testing/who-may'
import { changeRole } from './change-role'
import { members } from './routes'

let site: TestConsole
beforeAll(async () => {
  site = await openConsole(deps => new Elysia().use(members(deps)).use(invitations(deps)))
})
afterAll(() => site.close())

const noGateway: Gateway = {
  request: () => Promise.reject(new Error('no gateway here')),
  get: () => Promise.reject(new Error('no gateway here')),
  fetch: () => Promise.reject(new Error('no gateway here')),
}

type Account = Awaited<ReturnType<TestConsole['newAccount']>>
type Someone = { id: string; email: string }

const setRole = (account: Account, actor: Someone, whom: Someone, role: string) =>
  site.ask(actor, `${account.path}/members/${whom.id}/role`, { form: { role } })
const remove = (account: Account, actor: Someone, whom: Someone) =>
  site.ask(actor, `${account.path}/members/${whom.id}/remove`, { form: {} })
const leave = (account: Account, actor: Someone) => site.ask(actor, `${account.path}/members/leave`, { form: {} })
const invite = (account: Account, email: string, role = 'member') =>
  site.ask(account.owner, `${account.path}/members/invitations`, { form: { email, role } })

const rolesIn = async (account: Account) =>
  Object.fromEntries(
    (await site.sql<{ id: string; role: string }[]>`select person_id as id, role from membership where account_id = ${account.id}`).map(
      ({ id, role }) => [id, role],
    ),
  )
/** The path of the link in the latest mail to an address. */
async function linkTo(email: string): Promise<string> {
  const [mail] = await site.sql<{ text: string }[]>`select body_text as text from mail where recipient = ${email} order by id desc limit 1`
  return /\/invitations\/[A-Za-z0-9_-]{43}/.exec(mail?.text ?? '')?.[0] ?? 'no link'
}
const openInvitation = async (account: Account) =>
  (
    await site.sql<{ id: string }[]>`
    select id from invitation where account_id = ${account.id} and accepted_at is null and revoked_at is null order by id desc`
  )[0]?.id ?? ''

test('who may see members, and change them', async () => {
  const account = await site.newAccount()
  const other = await site.newPerson('Otto')
  await site.join(account.id, other.id, 'viewer')
  expect(await whoMay(site, account, '/members')).toEqual(readers())
  expect(await whoMay(site, account, '/members/leave')).toEqual(readers())
  expect(await whoMay(site, account, `/members/${other.id}/remove`)).toEqual(ownersOnly(200))
  expect(await whoMay(site, account, `/members/${other.id}/role`, () => ({ role: 'member' }))).toEqual(ownersOnly(303))
  expect(await whoMay(site, account, '/members/invitations', () => ({ email: 'new@example.com', role: 'member' }))).toEqual(ownersOnly(303))
  const invitation = await openInvitation(account)
  for (const act of ['send-again', 'revoke'])
    expect(await whoMay(site, account, `/members/invitations/${invitation}/${act}`, () => ({}))).toEqual(ownersOnly(303))
  expect(await whoMay(site, account, `/members/${other.id}/remove`, () => ({}))).toEqual(ownersOnly(303))
})

test('members and viewers see who is in the account, without invitations and without what owners do', async () => {
  const account = await site.newAccount()
  await invite(account, 'somebody@example.com')
  for (const visitor of [account.member, account.viewer]) {
    const { text } = await site.ask(visitor, `${account.path}/members`)
    expect(text).toContain(account.owner.email)
    for (const words of ['somebody@example.com', '/remove"', '/role"', 'Send the invitation']) expect(text).not.toContain(words)
  }
})

test('a role is changed at once and kept with who did it', async () => {
  const account = await site.newAccount()
  expect((await setRole(account, account.owner, account.member, 'viewer')).status).toBe(303)
  expect((await rolesIn(account))[account.member.id]).toBe('viewer')
  expect((await setRole(account, account.owner, account.member, 'king')).status).toBe(400)
  expect((await setRole(account, account.owner, account.stranger, 'viewer')).status).toBe(404)
  expect(await site.acts(account.id)).toEqual([
    {
      act: 'member.role_changed',
      subject: account.member.id,
      email: account.owner.email,
      details: { email: account.member.email, from: 'member', to: 'viewer' },
    },
  ])
})

test('the last owner can neither leave nor step down nor be removed', async () => {
  const account = await site.newAccount()
  const { owner } = account
  const tries = [await leave(account, owner), await setRole(account, owner, owner, 'viewer'), await remove(account, owner, owner)]
  expect(tries.map(({ status }) => status)).toEqual([409, 409, 409])
  expect((await rolesIn(account))[owner.id]).toBe('owner')
  expect(await site.acts(account.id)).toEqual([])
})

test('who comes in, and who is an owner, is changed only after a sign-in of the last quarter of an hour', async () => {
  const account = await site.newAccount()
  const { owner, member, viewer } = account
  await invite(account, 'earlier@example.com')
  const invitation = await openInvitation(account)
  await setRole(account, owner, member, 'owner')
  await site.rest(owner.id)
  const before = await site.acts(account.id)
  const asked = [
    await invite(account, 'later@example.com'),
    await site.ask(owner, `${account.path}/members/invitations/${invitation}/send-again`, { form: {} }),
    await setRole(account, owner, viewer, 'owner'),
    await setRole(account, owner, member, 'viewer'),
    await site.ask(owner, `${account.path}/members/${member.id}/remove`),
    await remove(account, owner, member),
  ]
  for (const { status, location } of asked) expect([status, location]).toEqual([303, expect.stringContaining('/security/confirm?next=')])
  expect(await site.acts(account.id)).toEqual(before)
  expect((await setRole(account, owner, viewer, 'member')).location).toContain('done=role')
  expect((await remove(account, owner, viewer)).location).toContain('done=removed')
})

test('two owners who step down at one moment leave one of them', async () => {
  for (let round = 0; round < 10; round++) {
    const account = await site.newAccount()
    await setRole(account, account.owner, account.member, 'owner')
    const statuses = await Promise.all([
      leave(account, account.owner),
      setRole(account, account.member, account.member, 'viewer'),
      remove(account, account.member, account.owner),
      setRole(account, account.owner, account.member, 'viewer'),
    ])
    expect(statuses.filter(({ status }) => status === 303).length).toBeGreaterThan(0)
    expect(Object.values(await rolesIn(account)).filter(role => role === 'owner')).toHaveLength(1)
  }
})

test('whose turn comes when they are owner no more changes nothing', async () => {
  const account = await site.newAccount()
  const actor = { ...account.member, emailVerified: true, sessionId: 's', address: null }
  const changed = changeRole(
    { ...site, gateway: noGateway, now: () => new Date() },
    { actor, accountId: account.id, personId: account.viewer.id, role: 'owner' },
  )
  expect(await changed.catch(error => error.reason)).toBe('role_insufficient')
  expect((await rolesIn(account))[account.viewer.id]).toBe('viewer')
})

test('who is removed, or leaves, has no entry any more', async () => {
  const account = await site.newAccount()
  expect((await remove(account, account.owner, account.member)).status).toBe(303)
  expect((await leave(account, account.viewer)).location).toBe('/accounts')
  for (const visitor of [account.member, account.viewer]) expect((await site.ask(visitor, `${account.path}/members`)).status).toBe(404)
  expect((await site.acts(account.id)).map(({ act }) => act)).toEqual(['member.removed', 'member.left'])
})

test('whoever has the invited address joins by the link, once', async () => {
  const account = await site.newAccount()
  const [guest, other] = [await site.newPerson('Gus'), await site.newPerson('Olga')]
  await invite(account, guest.email.toUpperCase(), 'viewer')
  const link = await linkTo(guest.email)
  expect((await site.ask(guest, link)).text).toContain('Join Studio')
  const both = await Promise.all([1, 2].map(() => site.ask(guest, link, { form: {} })))
  expect(both.map(({ status }) => status).sort()).toEqual([303, 404])
  expect((await rolesIn(account))[guest.id]).toBe('viewer')
  for (const person of [guest, other]) expect((await site.ask(person, link)).status).toBe(404)
  expect((await site.acts(account.id)).map(({ act }) => act)).toEqual(['invitation.sent', 'member.joined'])
})

test('another address, or one that is not confirmed, joins by no link and learns nothing of the account', async () => {
  const account = await site.newAccount()
  const guest = await site.newPerson('Gus', { verified: false })
  await invite(account, guest.email)
  const link = await linkTo(guest.email)
  for (const person of [guest, account.stranger])
    for (const form of [undefined, {}]) {
      const { status, text } = await site.ask(person, link, form && { form })
      expect([status, text.includes('Studio')]).toEqual([403, false])
    }
  expect((await rolesIn(account))[guest.id]).toBeUndefined()
})

test('who is signed out is led to the sign-in or the sign-up, and back', async () => {
  const account = await site.newAccount()
  await invite(account, 'newcomer@example.com')
  const link = await linkTo('newcomer@example.com')
  const { status, text } = await site.ask(undefined, link)
  expect(status).toBe(200)
  for (const path of ['sign-in', 'sign-up']) expect(text).toContain(`href="/${path}?next=${encodeURIComponent(link)}"`)
  expect((await site.ask(undefined, link, { form: {} })).status).toBe(303)
})

test('a link that was replaced, revoked, or is a week old leads nowhere, as one that never was', async () => {
  const account = await site.newAccount()
  const guest = await site.newPerson('Gus')
  const status = async (link: string, form?: object) => (await site.ask(guest, link, form && { form: {} })).status
  await invite(account, guest.email)
  const first = await linkTo(guest.email)
  const path = `${account.path}/members/invitations/${await openInvitation(account)}`
  await site.ask(account.owner, `${path}/send-again`, { form: {} })
  const second = await linkTo(guest.email)
  expect([
    await status(first),
    await status(second),
    await status('/invitations/x'),
    await status(`/invitations/${'A'.repeat(43)}`),
  ]).toEqual([404, 200, 404, 404])
  await site.sql`update invitation set expires_at = now() where account_id = ${account.id}`
  expect([await status(second), await status(second, {})]).toEqual([404, 404])
  await site.ask(account.owner, `${path}/send-again`, { form: {} })
  const third = await linkTo(guest.email)
  await site.ask(account.owner, `${path}/revoke`, { form: {} })
  expect([await status(third), await status(third, {})]).toEqual([404, 404])
  expect(await rolesIn(account)).not.toHaveProperty(guest.id)
})

test('a link of who is owner no more leads nowhere, unless another owner sent it again', async () => {
  const ends: ((account: Account) => Promise<unknown>)[] = [
    account => remove(account, account.owner, account.member),
    account => leave(account, account.member),
    account => setRole(account, account.owner, account.member, 'viewer'),
    // An earlier version, which revokes nothing.
    account => site.sql`delete from membership where account_id = ${account.id} and person_id = ${account.member.id}`,
  ]
  for (const end of ends)
    for (const isSentAgain of [false, true]) {
      const [account, guest] = [await site.newAccount(), await site.newPerson('Gus')]
      await setRole(account, account.owner, account.member, 'owner')
      await site.ask(account.member, `${account.path}/members/invitations`, { form: { email: guest.email, role: 'owner' } })
      const again = `${account.path}/members/invitations/${await openInvitation(account)}/send-again`
      if (isSentAgain) await site.ask(account.owner, again, { form: {} })
      const link = await linkTo(guest.email)
      await end(account)
      const statuses = [(await site.ask(guest, link)).status, (await site.ask(guest, link, { form: {} })).status]
      expect([isSentAgain, ...statuses]).toEqual(isSentAgain ? [true, 200, 303] : [false, 404, 404])
    }
})

test('a link works for a week, and its secret is kept nowhere but in the mail', async () => {
  const account = await site.newAccount()
  await invite(account, 'week@example.com')
  const token = (await linkTo('week@example.com')).split('/').at(-1) ?? ''
  const [row] = await site.sql<{ days: number; all: string }[]>`
    select round(extract(epoch from expires_at - created_at) / 86400)::int as days, invitation::text || encode(token_hash, 'escape') as all
    from invitation where account_id = ${account.id}`
  expect([row?.days, row?.all.includes(token)]).toEqual([7, false])
  expect(JSON.stringify(await site.acts(account.id))).not.toContain(token)
})

test('nobody is invited twice, and no member is', async () => {
  const account = await site.newAccount()
  await invite(account, 'twice@example.com')
  const wrong: [string, string, string][] = [
    ['twice@example.com', 'member', 'is already invited'],
    [account.viewer.email, 'member', 'is already a member'],
    ['no address', 'member', 'not a valid e-mail address'],
    ['good@example.com', 'king', 'Choose a role'],
  ]
  for (const [email, role, words] of wrong) {
    const { status, text } = await invite(account, email, role)
    expect([email, status, text.includes(words)]).toEqual([email, 400, true])
  }
  const both = await Promise.all([1, 2].map(() => invite(account, 'both@example.com')))
  expect(both.map(({ status }) => status).sort()).toEqual([303, 400])
})

test('an account sends only so many mails a day', async () => {
  const account = await site.newAccount()
  const statuses: number[] = []
  for (let count = 0; count < 31; count++) statuses.push((await invite(account, `guest${count}@example.com`)).status)
  expect(statuses).toEqual([...Array<number>(30).fill(303), 429])
})

test('a person has only so many mails sent a day, from however many accounts', async () => {
  const [first, second] = [await site.newAccount(), await site.newAccount()]
  await site.join(second.id, first.owner.id, 'owner')
  const send = async (account: Account, index: number) =>
    (await site.ask(first.owner, `${account.path}/members/invitations`, { form: { email: `of${index}@example.com`, role: 'member' } }))
      .status
  for (let index = 0; index < 30; index++) expect(await send(index % 2 === 0 ? first : second, index)).toBe(303)
  expect(await send(second, 30)).toBe(429)
  expect((await invite(second, 'of31@example.com')).status).toBe(303)
})

test('one address is written to five times a day, by however many accounts', async () => {
  const statuses: number[] = []
  for (let count = 0; count < 6; count++) statuses.push((await invite(await site.newAccount(), 'wanted@example.com')).status)
  expect(statuses).toEqual([303, 303, 303, 303, 303, 429])
  expect(await site.sql`select 1 from mail where recipient = 'wanted@example.com'`).toHaveLength(5)
})

test('an invitation’s mail says the proven address of who sends it, and no name that they chose', async () => {
  const account = await site.newAccount('Call 555 0199')
  await invite(account, 'unproven@example.com')
  const [mail] = await site.sql<{ subject: string; text: string }[]>`
    select subject, body_text as text from mail where recipient = 'unproven@example.com'`
  expect(mail?.text).toContain(account.owner.email)
  expect(`${mail?.subject} ${mail?.text}`).not.toContain('555 0199')
})

test('an invitation’s page says who invites whom into what; a mail that was forwarded to another person’s session says neither', async () => {
  const account = await site.newAccount('Northern Lights')
  const email = `invited-${account.id}@example.com`
  await invite(account, email, 'viewer')
  const link = await linkTo(email)
  const { status, text } = await site.ask(undefined, link)
  const told = text.slice(text.indexOf('<main')).replace(/<[^>]*>/g, '')
  expect([status, told]).toEqual([
    200,
    expect.stringContaining(`${account.owner.email} invites you to the account Northern Lights as a viewer.`),
  ])
  expect(told).toContain(`Sign in or sign up with ${email}`)
  expect(text).toContain(`href="/sign-up?next=${encodeURIComponent(link)}"`)
  const other = await site.ask(account.stranger, link)
  expect([other.status, other.text.includes('Northern'), other.text.includes(account.owner.email)]).toEqual([403, false, false])
})
