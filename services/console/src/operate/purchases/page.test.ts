import { afterAll, beforeAll, expect, test } from 'bun:test'
import { planGrant } from '../../billing/changes/plan-changes'
import type { Purchase } from '../../billing/purchases/purchase'
import { insertTestPurchase } from '../../billing/testing/purchase'
import { accountId } from '../testing/fake-services'
import { type OperateSystem, startOperateSystem, wholeForm } from '../testing/operate-system'

let system: OperateSystem
beforeAll(async () => {
  system = await startOperateSystem()
})
afterAll(() => system?.stop())

const own = () => `acct-${crypto.randomUUID()}`
const pathOf = (account: string) => `/operate/purchases?account=${account}`
const shown = async (path: string, as: 'read' | 'money' = 'read') => (await system.ask(path, as)).text()

/** A purchase of the account in this state, paid with 12.00 instead of the pack's 9.99. */
async function kept(account: string, state: Purchase['state'], isPaid = true): Promise<string> {
  const { id } = await insertTestPurchase(system.sql, { accountId: account })
  await system.sql`
    update purchase set state = ${state}, session_id = ${`cs_${id}`}, payment_intent_id = ${isPaid ? `pi_${id}` : null},
      paid_amount = ${isPaid ? 1_200 : null}, paid_currency = ${isPaid ? 'usd' : null}, review = ${state === 'review' ? 'too much' : null}
    where id = ${id}`
  return id
}
const refund = (id: string, amount: number) => system.sql`
  insert into reversal (id, kind, payment_intent_id, amount, currency, status, told_at)
  values (${`re_${id}`}, 'refund', ${`pi_${id}`}, ${amount}, 'usd', 'succeeded', now())`

/** The ids of the purchases below each heading, in order. */
function partsOf(page: string): Record<string, string[]> {
  const [, ...parts] = page.split('<h2>')
  const idsIn = (part: string) => [...part.matchAll(/<code>([0-9a-f-]{36})<\/code>/g)].map(([, id = '']) => id)
  return Object.fromEntries(parts.map(part => [part.slice(0, part.indexOf('<')), idsIn(part)]))
}

test('in review is what somebody must decide, waiting what is not granted yet, both oldest first; latest is all, newest first', async () => {
  const account = own()
  const created = await kept(account, 'created', false)
  const reviewed = await kept(account, 'review')
  const partlyBack = await kept(account, 'review')
  await refund(partlyBack, 300)
  const sentBack = await kept(account, 'review')
  await refund(sentBack, 1_200)
  const unpaid = await kept(account, 'review', false)
  const open = await kept(account, 'open', false)
  const paid = await kept(account, 'paid')
  const granted = await kept(account, 'granted')
  const expired = await kept(account, 'expired', false)
  await kept(own(), 'review')
  expect(partsOf(await shown(pathOf(account)))).toEqual({
    'In review': [reviewed, partlyBack],
    Waiting: [created, open, paid],
    Latest: [expired, granted, paid, open, unpaid, sentBack, partlyBack, reviewed, created],
  })
  const everybodys = partsOf(await shown('/operate/purchases'))
  expect(everybodys['In review']).toEqual(expect.arrayContaining([reviewed, partlyBack]))
})

test('a row says what was paid, what of it is out, what the ledger has decided and all ids', async () => {
  const account = own()
  const id = await kept(account, 'granted')
  await refund(id, 300)
  await system.sql.begin(async sql => {
    const [purchase] = await sql<Purchase[]>`
      select id, account_id as "accountId", credits, amount, currency, paid_amount as "paidAmount", paid_currency as "paidCurrency",
        pack_id as "packId", pack_version as "packVersion" from purchase where id = ${id}`
    if (purchase) await planGrant(sql, purchase, `pi_${id}`)
  })
  const filter = await shown(pathOf(account))
  expect(filter).toMatch(/<span class="sub"><span>2 not decided since <time [^>]+>[^<]+<\/time><\/span><\/span>/)
  await system.sql`update payment_change set state = 'applied' where purchase_id = ${id} and kind = 'grant'`
  await system.sql`update payment_change set state = 'refused', refusal = 'change_id_reused' where purchase_id = ${id} and kind = 'debit'`
  await system.sql`update payment_change set created_at = created_at - interval '2 hours' where purchase_id = ${id}`
  expect(await shown(pathOf(account))).toMatch(
    /\+1,000<span class="sub"><span class="bad">1 not decided since <time [^>]+>[^<]+<\/time><\/span>, refused: change id reused<\/span>/,
  )
  expect(await shown('/operate')).toContain('<span class="bad">a payment has waited 120 min for its credits or debit</span>')
  await system.sql`update payment_change set state = 'applied' where purchase_id = ${id}`
  expect(await shown('/operate')).toContain('no payment waits for its credits')
  const page = await shown(pathOf(account))
  for (const words of [
    `<a class="mono" href="/operate/accounts/${account}">`,
    '$9.99<span class="sub">$12.00 paid</span>',
    '<div>$3.00</div>',
    '+1,000<span class="sub">−250</span>',
    ...[id, `pi_${id}`, `cs_${id}`, `re_${id}`].map(each => `<code>${each}</code>`),
  ])
    expect(page).toContain(words)
})

test('older purchases come page by page, each once', async () => {
  const account = own()
  const ids: string[] = []
  for (let made = 0; made < 52; made++) ids.push((await insertTestPurchase(system.sql, { accountId: account })).id)
  const first = await shown(pathOf(account))
  const [, next = ''] = /href="([^"]+)">Next page/.exec(first) ?? []
  const second = partsOf(await shown(next.replaceAll('&amp;', '&')))
  expect(Object.keys(second)).toEqual(['Older'])
  expect([...(partsOf(first).Latest ?? []), ...(second.Older ?? [])]).toEqual(ids.toReversed())
  for (const cursor of ['none', '%00', `${crypto.randomUUID()}'`])
    expect((await system.ask(`${pathOf('%00')}&cursor=${cursor}`, 'read')).status).toBe(200)
})

test('who may accept has the form there, and is led back to the page; for others there is none', async () => {
  const id = await kept(accountId, 'review')
  const action = `action="/operate/purchases/${id}/accept"`
  expect(await shown(pathOf(accountId))).not.toContain('method="post" action="/operate')
  expect(await shown(pathOf(accountId), 'money')).toContain(action)
  const answer = await system.send(`/operate/purchases/${id}/accept`, 'money', wholeForm({ reason: 'tax was on' }))
  const location = answer.headers.get('location') ?? ''
  expect(location).toMatch(/^\/operate\/purchases\?act=\d+$/)
  const after = await shown(location, 'money')
  expect(after).toContain(`The purchase ${id} is accepted`)
  expect(after).not.toContain(action)
  expect(await shown(`/operate/accounts/${accountId}`)).toContain(`href="${pathOf(accountId)}"`)
})

test('nobody else learns that it is there', async () => {
  const id = await kept(own(), 'review')
  const answer = await system.ask('/operate/purchases', 'nobody')
  expect([answer.status, (await answer.text()).includes(id)]).toEqual([404, false])
})
