import { afterAll, beforeEach, expect, test } from 'bun:test'
import { upsertPreferences } from '../email-preferences/preference-repository'
import { consoleUrl, startTestConsole } from '../testing/console-and-gateway'
import type { Crossing } from './budget-mail'
import type { Pause } from './pause-mail'
import { budgetWarnings, pauseWarnings, sendWarnings } from './send-warnings'

const authSecret = 'a-secret-of-at-least-32-characters'
const { sql, addMember, server, connected, stop } = await startTestConsole()
afterAll(stop)
const deps = { sql, gateway: connected, consoleUrl, authSecret }

/** What the gateway holds until it is taken. */
let held: { id: string }[] = []
server.on('POST /budget-crossings', ({ body }) => take((body as { taken: string[] }).taken))
const take = (taken: string[]) => {
  held = held.filter(({ id }) => !taken.includes(id))
  return { data: held.slice(0, 200) }
}

let accountId = ''
const personOf = (name: string) => `${name}-${accountId}`
beforeEach(async () => {
  accountId = crypto.randomUUID()
  held = []
  await join('ada', 'owner')
})
async function join(name: string, role: 'owner' | 'member' | 'viewer') {
  await addMember(accountId, personOf(name), role)
  await sql`update person set email_verified = true, name = ${name} where id = ${personOf(name)}`
}

const crossing = (change: Partial<Crossing> = {}): Crossing => ({
  ...{
    id: crypto.randomUUID(),
    account_id: accountId,
    budget: 'account',
    subject_id: accountId,
    key_name: null,
    period: 'month',
    percent: 80,
  },
  ...{ max_credits: 1_000, spent_credits: 812, resets_at: '2026-11-30T23:00:00.000Z', time_zone: 'Europe/Berlin' },
  ...change,
})
const send = () => sendWarnings(deps, budgetWarnings)
const mailsOf = async (name: string) => [
  ...(await sql<{ subject: string; text: string; unsubscribeUrl: string }[]>`
    select subject, body_text as text, stop_url as "unsubscribeUrl" from mail where recipient = ${`${personOf(name)}@example.com`} order by id`),
]
const subjectsOf = async (name: string) => (await mailsOf(name)).map(({ subject }) => subject)

test('a crossing is mailed once, although two look at once and it comes again because the gateway did not hear that it was taken', async () => {
  const notice = crossing()
  held = [notice]
  await Promise.all([send(), send()])
  expect(held).toEqual([])
  held = [notice]
  await send()
  expect(held).toEqual([])
  const [mail, ...more] = await mailsOf('ada')
  expect(more).toEqual([])
  expect(mail?.subject).toBe('80 % of the budget of “Studio” is spent')
  expect(mail?.text.split('\n\n')).toEqual([
    'Hello ada,',
    'The budget of “Studio” allows 1,000 credits a month, and 812 of them are spent. Account: “Studio”.',
    'A video that costs more than what is left is refused, and nothing is charged for it.',
    'It begins anew on 1 Dec 2026, 00:00 (Europe/Berlin).',
    `See the budgets:\n${consoleUrl}/accounts/${accountId}/budgets`,
    `Stop e-mails about budgets and webhooks:\n${mail?.unsubscribeUrl}`,
    '-- \nFilmgate',
  ])
})

test('what is not stored is not taken: a mail that fails with its transaction is sent by the next look', async () => {
  held = [crossing()]
  await sql`alter table mail rename to away`
  await expect(send()).rejects.toThrow('mail')
  await sql`alter table away rename to mail`
  expect(held).toHaveLength(1)
  await send()
  expect([held, await subjectsOf('ada')]).toEqual([[], ['80 % of the budget of “Studio” is spent']])
})

test('of a member’s budget the owners and the member are told, each in words and with a page of their own', async () => {
  await join('bob', 'member')
  await join('cleo', 'member')
  held = [crossing({ budget: 'member', subject_id: personOf('bob'), percent: 100, period: 'total', resets_at: null })]
  await send()
  expect([await subjectsOf('ada'), await subjectsOf('bob'), await subjectsOf('cleo')]).toEqual([
    ['The budget of the member bob is spent'],
    ['Your budget is spent'],
    [],
  ])
  const [mail] = await mailsOf('bob')
  expect(mail?.text).toContain('From now on videos are refused')
  expect(mail?.text).toContain('does not begin anew')
  expect(mail?.text).toContain(`${consoleUrl}/accounts/${accountId}/usage`)
  expect(mail?.text).not.toContain('/budgets')
})

test('a key is named by its name without a link; a person of another account by nothing', async () => {
  const stranger = `eve-${crypto.randomUUID()}`
  await addMember(crypto.randomUUID(), stranger, 'owner')
  await sql`update person set email_verified = true where id = ${stranger}`
  held = [
    crossing({ budget: 'key', subject_id: 'k1', key_name: 'render\nhttps://farm' }),
    crossing({ budget: 'member', subject_id: stranger }),
  ]
  await send()
  expect(await subjectsOf('ada')).toEqual([
    '80 % of the budget of the key “render https farm” is spent',
    '80 % of the budget of a former member is spent',
  ])
  expect(await sql`select from mail where recipient = ${`${stranger}@example.com`}`).toHaveLength(0)
})

test('nobody is told who ended warnings, whose address is not verified, who is no owner, or whose account is closed', async () => {
  for (const name of ['bob', 'cleo']) await join(name, 'owner')
  await join('dan', 'member')
  const choice = { taskEnded: 'never' as const, lowBalanceCredits: null, isLow: null, warnings: false }
  await sql.begin(sql => upsertPreferences(sql, { accountId, personId: personOf('bob'), ...choice }))
  await sql`update person set email_verified = false where id = ${personOf('cleo')}`
  held = [crossing()]
  await send()
  await sql`update account set closed_at = now() where id = ${accountId}`
  held = [crossing(), crossing({ account_id: 'acct_nobody' })]
  await send()
  expect(held).toEqual([])
  const told = await Promise.all(['ada', 'bob', 'cleo', 'dan'].map(async name => (await subjectsOf(name)).length))
  expect(told).toEqual([1, 0, 0, 0])
})

test('more than one look holds are all mailed', async () => {
  held = Array.from({ length: 450 }, (_, nth) => crossing({ spent_credits: nth }))
  await send()
  expect([held, (await mailsOf('ada')).length]).toEqual([[], 450])
})

test('a paused webhook endpoint is mailed to owners alone, with what to do, and without the budgets', async () => {
  await join('bob', 'member')
  server.on('POST /budget-crossings', () => new Response('', { status: 503 }))
  server.on('POST /webhook-pauses', ({ body }) => take((body as { taken: string[] }).taken))
  const pause: Pause = {
    ...{ id: crypto.randomUUID(), account_id: accountId, endpoint_id: 'whe_1', address: 'hooks.example.com/<b>', kept_days: 30 },
    ...{ reason: 'the endpoint answered 410 Gone', paused_at: '2026-11-26T14:05:00.000Z' },
  }
  held = [pause]
  await Promise.all([sendWarnings(deps, pauseWarnings), sendWarnings(deps, pauseWarnings)])
  const [mail, ...more] = await mailsOf('ada')
  expect([more, await subjectsOf('bob'), held]).toEqual([[], [], []])
  expect(mail?.subject).toBe('A webhook endpoint of “Studio” is paused')
  expect(mail?.text).toContain('the webhook endpoint hooks.example.com/<b> of the account “Studio” is paused since 26 Nov 2026, 14:05 UTC.')
  expect(mail?.text).toContain('Reason: the endpoint answered 410 Gone.')
  expect(mail?.text).toContain(`${consoleUrl}/accounts/${accountId}/webhooks/whe_1`)
  expect(mail?.text).toContain('POST /api/v1/webhook-endpoints/whe_1/resume')
  const [row] = await sql<{ html: string }[]>`select body_html as html from mail where recipient = ${`${personOf('ada')}@example.com`}`
  expect(row?.html).toContain('hooks.example.com/&lt;b&gt;')
})
