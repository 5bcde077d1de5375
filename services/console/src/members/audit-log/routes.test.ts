import { afterAll, beforeAll, expect, test } from 'bun:test'
import { openConsole, type TestConsole } from '../../testing/open-console'
import { ownersOnly, whoMay } from '../../testing/who-may'
import { members } from '../routes'

let site: TestConsole
beforeAll(async () => {
  site = await openConsole(members)
})
afterAll(() => site.close())

type Account = Awaited<ReturnType<TestConsole['newAccount']>>
type Someone = { id: string; email: string }

const setRole = (account: Account, actor: Someone, whom: Someone, role: string) =>
  site.ask(actor, `${account.path}/members/${whom.id}/role`, { form: { role } })
const invite = (account: Account, email: string) =>
  site.ask(account.owner, `${account.path}/members/invitations`, { form: { email, role: 'member' } })

test('who may read the log, and take it as CSV', async () => {
  const account = await site.newAccount()
  expect(await whoMay(site, account, '/members/log')).toEqual(ownersOnly(200))
  expect(await whoMay(site, account, '/members/log.csv')).toEqual(ownersOnly(200))
})

test('the log tells who did what in words, page by page, and of no other account', async () => {
  const [account, other] = [await site.newAccount(), await site.newAccount()]
  await setRole(other, other.owner, other.member, 'viewer')
  await invite(account, 'logged@example.com')
  for (let count = 0; count < 26; count++)
    for (const role of ['viewer', 'member']) await setRole(account, account.owner, account.member, role)
  const { text } = await site.ask(account.owner, `${account.path}/members/log`)
  expect(text).toContain(`Changed ${account.member.email} from viewer to member`)
  expect(text).toContain('192.0.2.7')
  expect(text).not.toContain(other.owner.email)
  expect(text.match(/role="rowheader"/g)).toHaveLength(50)
  const next = /log\?cursor=\d+/.exec(text)?.[0]
  const older = await site.ask(account.owner, `${account.path}/members/${next}`)
  expect(older.text.match(/role="rowheader"/g)).toHaveLength(3)
  expect(older.text).toContain('Invited logged@example.com as member')
})

test('the log is narrowed to a person, a kind of object and days, on the page and as CSV', async () => {
  const account = await site.newAccount()
  await invite(account, 'narrowed@example.com')
  await setRole(account, account.owner, account.member, 'viewer')
  await site.sql`
    insert into audit_act (account_id, person_email, act, subject, details, at)
    values (${account.id}, 'Former@Example.com', 'key.created', 'k1', '{"name": "=SUM(A1)"}', '2026-11-01T12:00:00Z')`
  const rows = async (query: string) => {
    const { text } = await site.ask(account.owner, `${account.path}/members/log?${query}`)
    return [...text.matchAll(/<th role="rowheader" scope="row">([^<]*)</g)].map(([, words]) => words)
  }
  const [key, invited, changed] = [
    'Created the key “=SUM(A1)”',
    'Invited narrowed@example.com as member',
    `Changed ${account.member.email}`,
  ]
  expect(await rows('group=keys')).toEqual([key])
  expect(await rows('person=former@example.com')).toEqual([key])
  expect(await rows('group=members')).toEqual([expect.stringContaining(changed), invited])
  expect(await rows('group=members&person=former@example.com')).toEqual([])
  expect(await rows('from=2026-11-01&to=2026-11-01')).toEqual([key])
  expect(await rows('to=2026-10-31')).toEqual([])
  expect((await rows('group=odd')).length).toBeGreaterThan(2)
  for (const query of ['person=%00', 'from=2026-11-02&to=2026-11-01', 'from=x']) expect((await rows(query)).length).toBeGreaterThan(2)
  const { text, headers } = await site.ask(account.owner, `${account.path}/members/log.csv?group=keys`)
  expect(text).toBe(
    `time,person,action,name,object,ip_address,details\r\n2026-11-01T12:00:00.000Z,Former@Example.com,${key},key.created,k1,,"{""name"":""=SUM(A1)""}"\r\n`,
  )
  expect(headers.get('content-disposition')).toContain('.csv')
})

test('a search of the log looks at ten thousand entries, and goes on behind them; the CSV has all', async () => {
  const account = await site.newAccount()
  await site.sql`
    insert into audit_act (account_id, person_email, act, subject)
    select ${account.id}, case when n = 1 then 'rare@example.com' else 'often@example.com' end, 'video.made', n::text
    from generate_series(1, 10002) as n`
  const look = (query: string) => site.ask(account.owner, `${account.path}/members/log${query}`)
  const { text } = await look('?person=rare@example.com')
  expect(text).toContain('not searched yet')
  const next = /log\?([^"]*cursor=\d+)/.exec(text)?.[1]?.replaceAll('&amp;', '&')
  expect((await look(`?${next}`)).text).toContain('rare@example.com</div>')
  expect((await look('.csv?person=rare@example.com')).text.trimEnd().split('\r\n')).toHaveLength(2)
  expect((await look('.csv')).text.trimEnd().split('\r\n')).toHaveLength(10_003)
})
