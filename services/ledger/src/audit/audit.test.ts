import { afterAll, beforeAll, expect, test } from 'bun:test'
import { completeRefunds } from '../posting/complete-refunds'
import { ask, auditRules, budget, conclude, debitBeyond, grant, type LedgerBooks, ledgerBooks, newId } from '../testing/ledger-books'
import { audit } from './audit'
import { auditWhenDue } from './audit-when-due'

let books: LedgerBooks
beforeAll(async () => {
  books = await ledgerBooks()
  // What guards the tables is taken away: the auditor must find what slips past it.
  await books.sql.unsafe(`
    alter table entry disable trigger all; alter table reservation disable trigger all; drop index entry_one_ending;
    alter table account drop constraint account_available_check, drop constraint account_unfinished_check;
    alter table reservation drop constraint reservation_check, drop constraint reservation_check1, drop constraint reservation_check2,
      drop constraint reservation_refunded, drop constraint reservation_check4;`)
})
afterAll(() => books.close())

/** An account with one task reserved, one settled, one settled in part and one refunded. */
async function account() {
  const id = newId('acct')
  const [reserved, settled, partly, refunded] = [ask(id, 10), ask(id, 20), ask(id, 25, { surface: 'web' }), ask(id, 30)]
  await books.post(grant(id, 100), grant(id, 15, 'starter'), partly)
  await books.post(conclude('completed', partly, 12), reserved, settled, refunded)
  await books.post(conclude('completed', settled), conclude('refused', refunded))
  await completeRefunds(books.deps, [refunded])
  return { id, reserved: reserved.taskId, settled: settled.taskId, partly: partly.taskId, refunded: refunded.taskId }
}

/** One reservation that is held, and one that was charged in part. */
async function spendAgainstBudget(id: string) {
  const [held, partly] = [ask(id, 3, { keyId: 'k1' }), ask(id, 4, { keyId: 'k1' })]
  await books.post(budget(id, { total: 100 }, { version: 1 }), held, partly)
  await books.post(conclude('completed', partly, 1))
}

type Planted = Awaited<ReturnType<typeof account>>

const nowMs = () => books.clock.nowMs

const emptyBooks = () =>
  books.sql`truncate account, budget, budget_spend, credit_grant, reservation, entry, contradiction, outbox, audit_checkpoint, audit_account`

const partFaults = ['posting_differs', 'reservation_wrong']

/** Each: what is done to the books behind the ledger's back, and what the auditor must at least call it. */
const faults: [string, (a: Planted) => PromiseLike<unknown>, string[]][] = [
  [
    'an entry changed',
    a => books.sql`update entry set credits = 11 where source_id = ${a.reserved} and book = 'reserved'`,
    ['transaction_unbalanced', 'books_unbalanced', 'reserved_differs', 'posting_differs'],
  ],
  ['a balance changed', a => books.sql`update account set available = available + 1 where id = ${a.id}`, ['balance_differs']],
  ['a starter balance changed', a => books.sql`update account set starter = starter + 1 where id = ${a.id}`, ['balance_differs']],
  ['what is owed changed', a => books.sql`update account set owed = owed + 1 where id = ${a.id}`, ['balance_differs']],
  [
    'a debit beyond the balance whose owed part was written otherwise',
    async a => {
      const debited = debitBeyond(a.id, 500)
      await books.post(debited)
      await books.sql`update credit_grant set owed = owed - 1 where id = ${debited.change.id}`
    },
    ['grant_differs'],
  ],
  [
    'an ordinary debit that leaves something owed',
    async a => {
      const debited = debitBeyond(a.id, 500)
      await books.post(debited)
      await books.sql`update credit_grant set beyond_balance = false where id = ${debited.change.id}`
    },
    ['grant_differs'],
  ],
  ['a count changed', a => books.sql`update account set unfinished = unfinished + 1 where id = ${a.id}`, ['unfinished_differs']],
  [
    'a balance below nothing',
    a => books.sql`update account set available = -1 where id = ${a.id}`,
    ['balance_negative', 'balance_differs'],
  ],
  [
    'a settled task reopened',
    a => books.sql`update reservation set state = 'review', ended_at = null where task_id = ${a.settled}`,
    ['posting_differs', 'reserved_differs', 'unfinished_differs'],
  ],
  [
    'an ending lost',
    a => books.sql`delete from entry where source_id = ${a.settled} and kind = 'settle'`,
    ['posting_differs', 'reserved_differs'],
  ],
  [
    'a second ending',
    a => books.sql`insert into entry select source_id, 'refund', case book when 'revenue' then 'customer_paid'::book else book end, account_id, credits, at
                   from entry where source_id = ${a.settled} and kind = 'settle'`,
    ['posting_differs', 'balance_differs', 'reserved_differs'],
  ],
  ['more refunded than held', a => books.sql`update reservation set refunded = 31 where task_id = ${a.refunded}`, ['reservation_wrong']],
  ['a refund without the state', a => books.sql`update reservation set refunded = 10 where task_id = ${a.reserved}`, ['reservation_wrong']],
  ['more kept than a part was due', a => books.sql`update reservation set refunded = 14 where task_id = ${a.partly}`, ['posting_differs']],
  ['more returned than a task held', a => books.sql`update reservation set refunded = 26 where task_id = ${a.partly}`, partFaults],
  ['less than nothing returned', a => books.sql`update reservation set refunded = -1 where task_id = ${a.partly}`, partFaults],
  [
    'a part returned to the other balance',
    async a => {
      await books.sql`update entry set credits = credits - 3 where source_id = ${a.partly} and kind = 'settle' and book = 'customer_paid'`
      await books.sql`update entry set credits = credits + 3 where source_id = ${a.partly} and kind = 'settle' and book = 'customer_starter'`
      await books.sql`update account set available = available - 3, starter = starter + 3 where id = ${a.id}`
    },
    ['posting_differs'],
  ],
  [
    'starter credits spent by the API',
    a => books.sql`update reservation set starter = 4, paid = 6 where task_id = ${a.reserved}`,
    ['reservation_wrong', 'posting_differs'],
  ],
  ['a reservation lost', a => books.sql`delete from reservation where task_id = ${a.settled}`, ['entry_orphaned']],
  ['a grant lost', a => books.sql`delete from credit_grant where account_id = ${a.id}`, ['entry_orphaned']],
  ['a grant changed', a => books.sql`update credit_grant set credits = 1 where account_id = ${a.id}`, ['grant_differs']],
  [
    'a grant never issued',
    a => books.sql`insert into credit_grant values (${newId('g')}, ${a.id}, 'starter', 5, 'x', now())`,
    ['grant_differs'],
  ],
  [
    'an account lost',
    a =>
      books.sql.begin(async sql => {
        await sql`alter table credit_grant disable trigger all`
        await sql`set local session_replication_role = replica`
        await sql`delete from account where id = ${a.id}`
      }),
    ['balance_differs'],
  ],
  [
    'a refund that stays pending',
    a =>
      books.sql`update reservation set state = 'refund_pending', changed_at = to_timestamp(${nowMs() / 1000}::float8) - interval '6 minutes' where task_id = ${a.reserved}`,
    ['refund_stuck'],
  ],
  [
    'a task nobody speaks of',
    a =>
      books.sql`update reservation set reserved_at = to_timestamp(${nowMs() / 1000}::float8) - interval '4 days' where task_id = ${a.reserved}`,
    ['reservation_forgotten'],
  ],
  [
    'a review nobody ends',
    a =>
      books.sql`update reservation set state = 'review', changed_at = to_timestamp(${nowMs() / 1000}::float8) - interval '25 hours' where task_id = ${a.reserved}`,
    ['review_forgotten'],
  ],
  [
    'an event that stays',
    // Put off, so that the sweeper doesn't send it before the audit looks.
    () =>
      books.sql`insert into outbox (id, topic, key, value, headers, created_at, refusals, next_try_at)
                values (gen_random_uuid(), 'x', 'x', '', '{}', to_timestamp(${nowMs() / 1000}::float8) - interval '2 minutes', 1, now() + interval '1 hour')`,
    ['event_stuck'],
  ],
  [
    'spend of a budget changed',
    async a => {
      await spendAgainstBudget(a.id)
      await books.sql`update budget_spend set spent = spent + 1 where period = 'total' and scope = 'key'`
    },
    ['budget_spend_differs'],
  ],
  [
    'spend of a budget lost',
    async a => {
      await spendAgainstBudget(a.id)
      await books.sql`delete from budget_spend where scope = 'account' and period like '____-__'`
    },
    ['budget_spend_differs'],
  ],
  [
    'a counted reservation moved to another day',
    async a => {
      await spendAgainstBudget(a.id)
      await books.sql`update reservation set spend_day = '2020-01-01' where spend_day is not null`
    },
    ['budget_spend_differs'],
  ],
  ['a verdict that contradicts', a => books.post(conclude('refused', { accountId: a.id, taskId: a.settled })), ['verdict_contradicts']],
]

test('books that are in order have no finding', async () => {
  await account()
  expect(await audit(books.sql, auditRules, { nowMs: nowMs() })).toEqual({
    scope: 'full',
    findings: [],
    checked: { accounts: 1, grants: 2, reservations: 4, entries: 21 },
  })
})

test.each(faults)('%s is found', async (_, plant, expected) => {
  await emptyBooks()
  const planted = await account()
  await plant(planted)
  const found = new Set((await books.findings()).map(({ check }) => check))
  expect([...found].sort()).toEqual([...expected].sort())
})

test('the guards themselves refuse what the auditor would find', async () => {
  const guarded = await ledgerBooks()
  const id = newId('acct')
  const request = ask(id, 10)
  await guarded.post(grant(id, 100), request)
  await guarded.post(conclude('completed', request))
  const { sql } = guarded
  await expect(sql`update entry set credits = 1`.execute()).rejects.toThrow('entries are kept')
  await expect(sql`delete from entry`.execute()).rejects.toThrow('entries are kept')
  await expect(sql`truncate entry`.execute()).rejects.toThrow('entries are kept')
  await expect(sql`update reservation set state = 'reserved', ended_at = null`.execute()).rejects.toThrow(
    'may not move from settled to reserved',
  )
  await expect(sql`update reservation set paid = 5`.execute()).rejects.toThrow('nor change its terms')
  await expect(sql`update account set available = -1`.execute()).rejects.toThrow('account_available_check')
  await expect(sql`update account set available = 9007199254740992`.execute()).rejects.toThrow('account_available_check')
  const [entry] = await sql`select source_id, account_id from entry where kind = 'settle' limit 1`
  const unbalanced = sql`insert into entry values (${newId('x')}, 'settle', 'revenue', 'a', 1, now())`
  await expect(unbalanced.execute()).rejects.toThrow('do not sum to zero')
  const second = sql`insert into entry values (${entry?.source_id}, 'refund', 'reserved', ${id}, -1, now()), (${entry?.source_id}, 'refund', 'customer_paid', ${id}, 1, now())`
  await expect(second.execute()).rejects.toThrow('entry_one_ending')
  await guarded.close()
})

test('the service audits when the last audit, by whomever, is too old', async () => {
  const runs = async () => Number((await books.sql`select count(*) as runs from audit_run`)[0]?.runs)
  const before = await runs()
  await auditWhenDue(books.deps, { ...auditRules, auditEveryMs: 60_000 })
  expect(await runs()).toBe(before)
  await auditWhenDue(books.deps, { ...auditRules, auditEveryMs: 0 })
  expect(await runs()).toBe(before + 1)
})
