import { afterAll, beforeEach, expect, test } from 'bun:test'
import { consoleUrl, startTestConsole } from '../testing/console-and-gateway'
import { defaultPreferences, findPreferences } from './preference-repository'
import { type MailKind, unsubscribeUrl } from './unsubscribe-link'

const authSecret = 'a-secret-of-at-least-32-characters'
const {
  sql,
  ask,
  app,
  addMember,
  gateway,
  stop: subscription,
} = await startTestConsole({ authSecrets: [authSecret], clientAddress: () => '192.0.2.9' })
afterAll(subscription)

let account = { id: '', path: '', owner: '' }
beforeEach(async () => {
  const id = crypto.randomUUID()
  const owner = `owner-${id}`
  await addMember(id, owner, 'owner')
  account = { id, path: `/accounts/${id}/e-mails`, owner }
  gateway.available = 500
})
const choiceOf = (personId: string) => findPreferences(sql, { accountId: account.id, personId })
const toldOf = async () =>
  (await sql<{ told: boolean | null }[]>`select low_balance_told as told from mail_choice where account_id = ${account.id}`)[0]?.told
const join = async (role: 'member' | 'viewer') => {
  const id = `${role}-${account.id}`
  await addMember(account.id, id, role)
  return id
}
const acts = async () => [
  ...(await sql<{ act: string; subject: string | null; address: string | null }[]>`
    select act, subject, address from audit_act where account_id = ${account.id} order by id`),
]
const linkOf = (kind: MailKind) => unsubscribeUrl({ consoleUrl, authSecret }, { accountId: account.id, personId: account.owner, kind })
const choose = (person: string, fields: Record<string, string>) =>
  ask(person, account.path, { task_ended: 'always', warnings: 'yes', ...fields })

test('nobody is written to of videos and balances before they choose; a choice is the person’s alone, kept, shown and logged', async () => {
  const member = await join('member')
  expect(await choiceOf(account.owner)).toEqual(defaultPreferences)
  const answer = await choose(account.owner, { low_balance: '1,000' })
  expect([answer.status, answer.headers.get('location')]).toEqual([303, `${account.path}?done=saved`])
  expect(await choiceOf(account.owner)).toEqual({ taskEnded: 'always', lowBalanceCredits: 1_000, warnings: true })
  expect(await choiceOf(member)).toEqual(defaultPreferences)
  const text = await (await ask(account.owner, account.path)).text()
  expect(text).toContain('value="always" checked')
  expect(text).toContain('value="1000"')
  expect(await acts()).toEqual([{ act: 'mails.chosen', subject: null, address: '192.0.2.1' }])
})

test('the bound is an owner’s, mails about videos are for who makes some; a stranger learns nothing', async () => {
  const [member, viewer] = [await join('member'), await join('viewer')]
  expect((await choose(member, { low_balance: '1000' })).status).toBe(303)
  expect(await choiceOf(member)).toEqual({ taskEnded: 'always', lowBalanceCredits: null, warnings: true })
  expect(await (await ask(member, account.path)).text()).not.toContain('low_balance')
  expect((await choose(viewer, {})).status).toBe(403)
  expect((await ask(viewer, account.path)).status).toBe(200)
  for (const form of [undefined, { task_ended: 'always' }]) expect((await ask('stranger', account.path, form)).status).toBe(404)
})

test('what is no number of credits is shown again with what must be mended, and changes nothing', async () => {
  for (const low_balance of ['-5', '0', '1.5', 'many', '1000000001', '1e3']) {
    const answer = await choose(account.owner, { low_balance })
    expect([low_balance, answer.status]).toEqual([low_balance, 400])
    expect(await answer.text()).toContain(`value="${low_balance}"`)
  }
  expect((await choose(account.owner, { task_ended: 'sometimes' })).status).toBe(400)
  expect(await choiceOf(account.owner)).toEqual(defaultPreferences)
})

test('a balance that is below already when the bound is chosen is known as told; the same bound again changes nothing of it', async () => {
  await choose(account.owner, { low_balance: '501' })
  expect(await toldOf()).toBe(true)
  await choose(account.owner, { low_balance: '500' })
  expect(await toldOf()).toBe(false)
  gateway.available = 10
  await choose(account.owner, { low_balance: '500', task_ended: 'never' })
  expect(await toldOf()).toBe(false)
})

test('a link of a mail asks by a button, and one POST of a mailbox ends these mails alone, without a sign-in', async () => {
  await choose(account.owner, { low_balance: '100' })
  const shown = await app.handle(new Request(linkOf('task-ended'), { headers: { accept: 'text/html' } }))
  expect([shown.status, await shown.text()]).toEqual([200, expect.stringContaining('<button>Unsubscribe</button>')])
  expect(await choiceOf(account.owner)).toEqual({ taskEnded: 'always', lowBalanceCredits: 100, warnings: true })
  const oneClick = { method: 'POST', body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }) }
  expect((await app.handle(new Request(linkOf('task-ended'), oneClick))).status).toBe(200)
  expect(await choiceOf(account.owner)).toEqual({ taskEnded: 'never', lowBalanceCredits: 100, warnings: true })
  for (let time = 0; time < 2; time++) expect((await app.handle(new Request(linkOf('low-balance'), oneClick))).status).toBe(200)
  expect(await choiceOf(account.owner)).toEqual(defaultPreferences)
  expect((await acts()).slice(1)).toEqual([
    { act: 'mails.stopped', subject: 'task-ended', address: '192.0.2.9' },
    { act: 'mails.stopped', subject: 'low-balance', address: '192.0.2.9' },
  ])
})

test('a link names the account only to who is in it still', async () => {
  const member = await join('member')
  const link = unsubscribeUrl({ consoleUrl, authSecret }, { accountId: account.id, personId: member, kind: 'task-ended' })
  const shown = async () => (await app.handle(new Request(link, { headers: { accept: 'text/html' } }))).text()
  expect(await shown()).toContain('of the account “Studio”')
  await sql`delete from membership where account_id = ${account.id} and person_id = ${member}`
  expect([await shown()]).toEqual([expect.not.stringContaining('Studio')])
  expect(await shown()).toContain('<button>Unsubscribe</button>')
})

test('a link that is changed in anything ends nothing', async () => {
  await choose(account.owner, { low_balance: '100' })
  const token = new URL(linkOf('low-balance')).searchParams.get('token') ?? ''
  const other = crypto.randomUUID()
  const tokens = [
    '',
    token.slice(1),
    token.replace('low-balance', 'task-ended'),
    token.replace(account.id, other),
    `${token}.`,
    `${token}x`,
  ]
  for (const changed of tokens) {
    const url = `${consoleUrl}/e-mails/stop?token=${encodeURIComponent(changed)}`
    for (const method of ['GET', 'POST']) expect([changed, (await app.handle(new Request(url, { method }))).status]).toEqual([changed, 404])
  }
  expect(await choiceOf(account.owner)).toEqual({ taskEnded: 'always', lowBalanceCredits: 100, warnings: true })
})

test('who leaves the account leaves their choice', async () => {
  const member = await join('member')
  await choose(member, {})
  await sql`delete from membership where account_id = ${account.id} and person_id = ${member}`
  await join('member')
  expect(await choiceOf(member)).toEqual(defaultPreferences)
})

test('warnings are on until a form or one click ends them, for whoever has chosen nothing too', async () => {
  const member = await join('member')
  const page = async () => (await ask(member, account.path)).text()
  expect(await page()).toContain('value="yes" checked')
  expect((await choose(member, { warnings: '' })).status).toBe(303)
  expect([await choiceOf(member), await page()]).toEqual([
    { taskEnded: 'always', lowBalanceCredits: null, warnings: false },
    expect.stringContaining('value="yes">'),
  ])
  for (let time = 0; time < 2; time++) expect((await app.handle(new Request(linkOf('warnings'), { method: 'POST' }))).status).toBe(200)
  expect(await choiceOf(account.owner)).toEqual({ ...defaultPreferences, warnings: false })
  const [act, ...more] = (await acts()).filter(({ act }) => act === 'mails.stopped')
  expect([act?.subject, more]).toEqual(['warnings', []])
})

test('who has left the account ends nothing by the link', async () => {
  await sql`delete from membership where account_id = ${account.id} and person_id = ${account.owner}`
  expect((await app.handle(new Request(linkOf('warnings'), { method: 'POST' }))).status).toBe(200)
  expect(await sql`select from mail_choice where account_id = ${account.id}`).toHaveLength(0)
})
