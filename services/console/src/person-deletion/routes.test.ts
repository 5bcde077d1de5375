import { afterAll, beforeAll, expect, test } from 'bun:test'
import { Elysia } from 'elysia'
import { insertAuditEntry } from '../audit-log/audit-entry-repository'
import { members } from '../members/routes'
import { recordSecurityChange } from '../sign-in/record-security-change'
import { consoleUrl, openConsole, type TestConsole } from '../testing/open-console'
import { personDeletion } from './routes'

let site: TestConsole
beforeAll(async () => {
  site = await openConsole(deps => new Elysia().use(personDeletion(deps)).use(members(deps)))
})
afterAll(() => site.close())

type Someone = { id: string; email: string }
const remove = (person: Someone, email = person.email) => site.ask(person, '/security/delete', { form: { email } })
const isThere = async ({ id }: Someone) => (await site.sql`select 1 from person where id = ${id}`).length === 1
const acted = (person: Someone, accountId: string | null, details = {}) =>
  insertAuditEntry(site.sql, { ...person, address: '192.0.2.1' }, { accountId, action: 'key.created', details })

test('who is signed out sees and deletes nobody', async () => {
  for (const path of ['/security/delete', '/security/export']) expect((await site.ask(undefined, path)).status).toBe(303)
  expect((await site.ask(undefined, '/security/delete', { form: { email: '' } })).status).toBe(303)
})

test('whoever is an account’s only owner deletes it or hands it over first', async () => {
  const { id, owner, member } = await site.newAccount('Boat <Co>')
  expect((await site.ask(owner, '/security/delete')).text).toContain('Boat &lt;Co&gt;')
  expect([(await remove(owner)).status, await isThere(owner)]).toEqual([400, true])
  await site.sql`update membership set role = 'owner' where account_id = ${id} and person_id = ${member.id}`
  expect([(await remove(owner)).location, await isThere(owner)]).toEqual(['/sign-in?done=deleted', false])
  expect((await site.acts(id)).map(({ act }) => act)).toEqual(['member.left'])
})

test('an account that is closed keeps nobody', async () => {
  const { id, owner } = await site.newAccount()
  await site.sql`update account set closed_at = now() where id = ${id}`
  expect((await remove(owner)).status).toBe(303)
})

test('two owners who delete themselves at one moment leave one of them', async () => {
  for (let round = 0; round < 5; round++) {
    const { id, owner, member } = await site.newAccount()
    await site.sql`update membership set role = 'owner' where account_id = ${id} and person_id = ${member.id}`
    await Promise.all([remove(owner), remove(member)])
    expect([await isThere(owner), await isThere(member)].filter(there => there)).toHaveLength(1)
  }
})

test('nothing of a person is left but acts under a code, which another person’s acts keep whole', async () => {
  const { id, owner, member } = await site.newAccount()
  await acted(member, id)
  await acted(owner, id, { email: member.email })
  await acted(member, null)
  const names = { from: 'Mia Former', to: 'Mia Later' }
  await insertAuditEntry(site.sql, { ...member, address: null }, { accountId: null, action: 'person.renamed', details: names })
  const device = { name: 'CLI', device: 'Mia’s laptop', device_address: '198.51.100.9' }
  await insertAuditEntry(site.sql, { ...member, address: null }, { accountId: null, action: 'device_login.approved', details: device })
  await site.sql`
    insert into invitation (id, account_id, email, role, token_hash, invited_by, expires_at)
    values (${member.id}, ${id}, ${member.email}, 'viewer', ${Buffer.from(member.id)}, ${owner.email}, now())`
  await site.sql`insert into mail (id, recipient, subject) values (${member.id}, ${member.email}, 'Hello')`
  expect((await remove(member, 'somebody@example.com')).status).toBe(400)
  expect((await remove(member, member.email.toUpperCase())).status).toBe(303)

  for (const table of ['person', 'session', 'membership', 'audit_act', 'invitation', 'mail', 'credential']) {
    const [row] = await site.sql`select count(*)::int as rows from ${site.sql(table)} as each where each::text like ${`%${member.email}%`}`
    expect([table, row?.rows]).toEqual([table, 0])
  }
  for (const text of ['Mia Former', 'Mia’s laptop', '198.51.100.9']) expect([text, await tablesWith(text)]).toEqual([text, []])
  const entries = await site.sql<{ email: string; address: string | null; details: { email?: string } }[]>`
    select person_email as email, address, details from audit_act where account_id = ${id} order by id`
  const [own, others, left] = entries
  expect(own?.email).toMatch(/^deleted-[0-9a-f]{16}$/)
  expect([own?.address, left?.email]).toEqual([null, own?.email])
  expect(others).toEqual({ email: owner.email, address: '192.0.2.1', details: { email: own?.email ?? '' } })
})

/** The tables that contain a text in any column. */
async function tablesWith(text: string): Promise<string[]> {
  const tables = await site.sql<{ name: string }[]>`select quote_ident(tablename) as name from pg_tables where schemaname = 'public'`
  const each = tables.map(
    ({ name }) => `select '${name}' as name where exists (select from ${name} as one where position($1 in lower(one::text)) > 0)`,
  )
  const found = await site.sql.unsafe<{ name: string }[]>(each.join(' union all '), [text.toLowerCase()])
  return found.map(({ name }) => name).sort()
}

test('no address that the person ever had stands anywhere, and what they invited with it is revoked', async () => {
  const { id, owner, member, path } = await site.newAccount()
  await site.sql`update membership set role = 'owner' where account_id = ${id} and person_id = ${member.id}`
  const invite = (email: string) => site.ask(member, `${path}/members/invitations`, { form: { email, role: 'viewer' } })
  const former = member.email
  await acted(owner, id, { email: former })
  await invite('before@example.com')
  await site.sql`insert into mail (id, recipient, subject) values (${crypto.randomUUID()}, ${former}, 'Hello')`
  const now = `new-${former}`
  await recordSecurityChange(
    { sql: site.sql, consoleUrl },
    { ...member, name: 'Mia', address: null },
    {
      action: 'person.email_changed',
      change: `Your e-mail address was changed to ${now}`,
      details: { from: former, to: now },
    },
  )
  await site.sql`update person set email = ${now} where id = ${member.id}`
  await invite('after@example.com')
  await acted(owner, id, { email: now })
  expect(await tablesWith(former)).toEqual(['audit_act', 'invitation', 'mail', 'person'])
  expect((await remove({ ...member, email: now })).status).toBe(303)
  expect([await tablesWith(former), await tablesWith(now)]).toEqual([[], []])
  const open = await site.sql`select 1 from invitation where account_id = ${id} and revoked_at is null`
  expect([...open]).toEqual([])
})

test('mails to others that wait are sent, and only the whole address is taken from them', async () => {
  const { member } = await site.newAccount()
  const erased = await site.newPerson()
  const { email } = erased
  const kept = [
    [`x${email} ${email}.au`, `x.${email}, ${email}er`, `<p>o&#39;${email}</p>`],
    ['Your video is ready', `${email} likes (${email.toUpperCase()}). From ${email}, ${email}.`, `<p>${email}</p>`],
  ] as const
  for (const [subject, text, html] of kept)
    await site.sql`
      insert into mail (id, recipient, subject, body_text, body_html) values (${crypto.randomUUID()}, ${member.email}, ${subject}, ${text}, ${html})`
  expect((await remove(erased)).status).toBe(303)
  const mails = await site.sql<{ subject: string; text: string; html: string }[]>`
    select subject, body_text as text, body_html as html from mail where recipient = ${member.email} order by subject desc`
  const [untouched, masked] = mails.map(({ subject, text, html }) => [subject, text, html])
  expect(untouched).toEqual([...kept[0]])
  const [pseudonym = ''] = /deleted-[0-9a-f]{16}/.exec(masked?.[1] ?? '') ?? []
  expect(masked).toEqual([
    'Your video is ready',
    `${pseudonym} likes (${pseudonym}). From ${pseudonym}, ${pseudonym}.`,
    `<p>${pseudonym}</p>`,
  ])
})

test('a deletion that is sent twice at one moment changes no mail to others', async () => {
  const { member } = await site.newAccount()
  const mail = { recipient: member.email, subject: 'Hello', body_text: 'a text', body_html: '<p>a text</p>' }
  await site.sql`insert into mail ${site.sql({ id: crypto.randomUUID(), ...mail })}`
  for (let round = 0; round < 5; round++) {
    const erased = await site.newPerson()
    await Promise.all([remove(erased), remove(erased), remove(erased)])
  }
  const kept = await site.sql`select recipient, subject, body_text, body_html from mail where recipient = ${member.email}`
  expect([...kept]).toEqual([mail])
})

test('an address that somebody else has by now stays theirs', async () => {
  const { id, owner, member } = await site.newAccount()
  const heir = await site.newPerson('Hal')
  const details = { from: heir.email, to: member.email }
  await insertAuditEntry(site.sql, { ...member, address: null }, { accountId: null, action: 'person.email_changed', details })
  await acted(owner, id, { email: heir.email })
  await site.sql`insert into mail (id, recipient, subject) values (${heir.id}, ${heir.email}, 'Hello')`
  expect((await remove(member)).status).toBe(303)
  expect((await site.acts(id))[0]?.details).toEqual({ email: heir.email })
  expect(await tablesWith(heir.email)).toEqual(['audit_act', 'mail', 'person'])
  const [own] = await site.sql`select details from audit_act where act = 'person.email_changed' and person_id = ${member.id}`
  expect(JSON.stringify(own)).not.toContain('@')
})

test('an export has what is kept of the person and nobody else’s', async () => {
  const { id, member, owner } = await site.newAccount()
  await acted(member, id)
  await acted(owner, id)
  await site.sql`insert into credential (id, person_id, provider_id, subject_id, password) values (${member.id}, ${member.id}, 'credential', ${member.id}, 'the-hash')`
  await site.sql`
    insert into passkey (id, person_id, name, public_key, credential_id, counter, device_type, backed_up)
    values (${member.id}, ${member.id}, 'Laptop', 'the-key', ${member.id}, 0, 'singleDevice', false)`
  await site.sql`insert into mail (id, recipient, subject, body_text) values (${member.id}, ${member.email}, 'Hello', 'the-link')`
  for (const { id: personId } of [member, owner])
    await site.sql`insert into mail_choice (account_id, person_id, task_ended) values (${id}, ${personId}, 'always')`
  const { text } = await site.ask(member, '/security/export')
  const types = text
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line).type)
  expect(types).toEqual(['person', 'membership', 'mail choice', 'session', 'credential', 'passkey', 'mail', 'act', 'act'])
  const [newest] = await site.sql`select act, address from audit_act where person_id = ${member.id} order by id desc limit 1`
  expect(newest?.act).toBe('person.exported')
  for (const secret of ['the-hash', 'the-key', 'the-link']) expect(text).not.toContain(secret)
  expect(text).not.toContain(owner.email)
})

test('whoever signed in a while ago is asked for the password first', async () => {
  const person = await site.newPerson()
  await site.sql`update session set confirmed_at = now() - interval '16 minutes' where person_id = ${person.id}`
  const json = { accept: 'application/json' }
  const statuses = [
    await site.ask(person, '/security/delete', { headers: json }),
    await site.ask(person, '/security/export', { headers: json }),
    await site.ask(person, '/security/delete', { headers: json, form: { email: person.email } }),
  ].map(({ status }) => status)
  expect([statuses, await isThere(person)]).toEqual([[403, 403, 403], true])
})
