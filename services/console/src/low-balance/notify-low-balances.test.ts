import { afterAll, beforeEach, expect, test } from 'bun:test'
import { testLog } from '@filmgate/kit/testing'
import { upsertPreferences } from '../email-preferences/preference-repository'
import { consoleUrl, startTestConsole } from '../testing/console-and-gateway'
import { notifyLowBalances } from './notify-low-balances'

const authSecret = 'a-secret-of-at-least-32-characters'
const { sql, addMember, gateway, connected, stop } = await startTestConsole()
afterAll(stop)
const deps = { sql, log: testLog, gateway: connected, consoleUrl, authSecret }

let accountId = ''
let personId = ''
beforeEach(async () => {
  await sql`delete from mail_choice`
  accountId = crypto.randomUUID()
  personId = `ada-${accountId}`
  await addMember(accountId, personId, 'owner')
  await sql`update person set email_verified = true where id = ${personId}`
})

const choose = (lowBalanceCredits: number | null, isLow: boolean | null = false) =>
  sql.begin(sql => upsertPreferences(sql, { accountId, personId, taskEnded: 'never', lowBalanceCredits, isLow, warnings: true }))
/** Checks at once, as often as called. */
async function look(available: number, gapMs = 0): Promise<void> {
  gateway.available = available
  await sql`update mail_choice set next_look_at = now()`
  await Promise.all([notifyLowBalances(deps, { gapMs }), notifyLowBalances(deps, { gapMs })])
}
const mails = async () => [
  ...(await sql<{ subject: string; text: string; unsubscribeUrl: string }[]>`
    select subject, body_text as text, stop_url as "unsubscribeUrl" from mail where recipient = ${`${personId}@example.com`} order by id`),
]

test('a fall below the bound is told once, and again only after the balance was above', async () => {
  await choose(100)
  for (const available of [100, 99, 98, 0]) await look(available)
  const [mail, ...more] = await mails()
  expect(more).toEqual([])
  expect(mail?.subject).toBe('“Studio” is below 100 credits')
  expect(mail?.text).toContain('has 99 credits of paid credits left')
  expect(mail?.text).toContain(`${consoleUrl}/accounts/${accountId}/billing`)
  expect(mail?.text).toContain(mail?.unsubscribeUrl ?? 'none')
  for (const available of [100, 10]) await look(available)
  expect(await mails()).toHaveLength(2)
})

test('a balance that was below when the bound was chosen is not told, nor where the first look finds it so', async () => {
  await choose(100, true)
  await look(50)
  await choose(200, null)
  await look(60)
  expect(await mails()).toEqual([])
  for (const available of [300, 60]) await look(available)
  expect(await mails()).toHaveLength(1)
})

test('a balance that goes up and down around the bound is told of no sooner than the gap allows, and not forgotten', async () => {
  await choose(100)
  for (const available of [99, 101, 99, 101, 98, 97]) await look(available, 3_600_000)
  expect(await mails()).toHaveLength(1)
  await sql`update mail_choice set low_balance_mailed_at = now() - interval '2 hours'`
  await look(96, 3_600_000)
  expect(await mails()).toHaveLength(2)
  await look(95, 3_600_000)
  expect(await mails()).toHaveLength(2)
})

test('only owners of open accounts are told, and only while they want to be', async () => {
  await choose(100)
  await sql`update membership set role = 'member' where account_id = ${accountId}`
  await look(10)
  await sql`update membership set role = 'owner' where account_id = ${accountId}`
  await sql`update account set closed_at = now() where id = ${accountId}`
  await look(10)
  await sql`update account set closed_at = null where id = ${accountId}`
  await choose(null)
  await look(10)
  expect(await mails()).toEqual([])
  gateway.seen.length = 0
  await look(10)
  expect(gateway.seen).toEqual([])
})

test('balances of many accounts are one question, and each is asked for once in a while', async () => {
  await choose(100)
  for (let index = 0; index < 20; index++) {
    const other = crypto.randomUUID()
    await addMember(other, personId, 'owner')
    await sql.begin(sql =>
      upsertPreferences(sql, { accountId: other, personId, taskEnded: 'never', lowBalanceCredits: 100, isLow: false, warnings: true }),
    )
  }
  gateway.available = 10
  gateway.seen.length = 0
  expect(await notifyLowBalances(deps)).toBe(21)
  expect(await notifyLowBalances(deps)).toBe(0)
  expect(gateway.seen.map(({ path }) => path)).toEqual(['/balances'])
  expect(await mails()).toHaveLength(21)
})
