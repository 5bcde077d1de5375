import { afterAll, expect, test } from 'bun:test'
import { testDatabase, testLog } from '@filmgate/kit/testing'
import { Elysia } from 'elysia'
import { uuidv7 } from 'uuidv7'
import { insertAccount } from '../accounts/account-repository'
import { migrationsFolder } from '../database/migrations-folder'
import type { Gateway } from '../gateway/gateway'
import type { Person } from '../http/person'
import { renderError } from '../layout/render-error'
import { stripeLimit } from '../limits/limits'
import { insertChanges } from './changes/change-repository'
import { readPacks } from './packs/packs'
import { findPurchase, listPurchases } from './purchases/purchase-repository'
import { billing } from './routes'
import { sessionFact } from './stripe/facts'
import type { StripeApi } from './stripe/stripe-api'
import { fakeLedger, fakeStripe } from './testing/fakes'
import { insertTestPurchase } from './testing/purchase'

const { sql, drop } = await testDatabase(migrationsFolder)
afterAll(drop)
const consoleUrl = 'https://console.example.com'
const view = { available_credits: 5, starter_credits: 0, owed_credits: 7 }
const gateway = { ...fakeLedger(), get: async () => view } as unknown as Gateway

async function personIn(accountId: string, role: 'owner' | 'member' | 'viewer'): Promise<Person> {
  const id = uuidv7()
  await sql`insert into person (id, name, email) values (${id}, 'Ada', ${`${id}@example.com`})`
  await insertAccount(sql, { id: accountId, name: 'Studio', personId: id })
  await sql`
    insert into membership (account_id, person_id, role) values (${accountId}, ${id}, ${role})
    on conflict (account_id, person_id) do update set role = ${role}`
  return { id, name: 'Ada', email: `${id}@example.com`, emailVerified: true, sessionId: 's1', address: null }
}

/** Creates a checkout for each purchase, the same one for the same purchase. */
function shop(own: Partial<StripeApi> = {}) {
  const created: string[] = []
  const createSession: StripeApi['createSession'] = async ({ id, accountId, amount, currency }, _, pages) => {
    created.push(id)
    const session = { id: `cs_${id}`, client_reference_id: id, metadata: { account: accountId }, status: 'open', payment_status: 'unpaid' }
    return {
      ...sessionFact({ ...session, amount_total: amount, currency }),
      url: `https://checkout.stripe.com/c/${id}?back=${pages.successUrl}`,
    }
  }
  return { created, stripe: fakeStripe({ createSession, ...own }) }
}

function ask(person: Person, stripe: StripeApi | undefined, billingContact?: string) {
  const deps = { sql, gateway, billingContact, stripe, packs: readPacks(), consoleUrl, paymentAskAfterMs: 600_000, now: () => new Date() }
  const app = new Elysia({ normalize: false }).use(renderError(testLog)).use(billing({ ...deps, findPerson: async () => person }))
  return (path: string, form?: Record<string, string>) =>
    app.handle(
      new Request(`${consoleUrl}${path}`, {
        method: form ? 'POST' : 'GET',
        headers: { accept: 'text/html', ...(form && { 'content-type': 'application/x-www-form-urlencoded' }) },
        ...(form && { body: new URLSearchParams(form).toString() }),
      }),
    )
}
const form = (more: Record<string, string> = {}) => ({ form: uuidv7(), pack: 'small', terms: '1-1000-1000-usd', ...more })

test('an owner who buys is led to Stripe, and the same form again is the same checkout', async () => {
  const accountId = uuidv7()
  const { created, stripe } = shop()
  const send = ask(await personIn(accountId, 'owner'), stripe)
  const sent = form()
  const answers = [
    await send(`/accounts/${accountId}/billing/purchases`, sent),
    await send(`/accounts/${accountId}/billing/purchases`, sent),
  ]
  const back = `${consoleUrl}/accounts/${accountId}/billing/purchases/${sent.form}`
  for (const { status, headers } of answers)
    expect([status, headers.get('location')]).toEqual([303, `https://checkout.stripe.com/c/${sent.form}?back=${back}`])
  expect(created).toEqual([sent.form])
  expect(await listPurchases(sql, accountId, 10)).toMatchObject([
    { id: sent.form, state: 'open', credits: 1_000, amount: 1_000, currency: 'usd' },
  ])
  expect(await sql`select act, subject from audit_act where account_id = ${accountId}`).toMatchObject([
    { act: 'purchase.begun', subject: sent.form },
  ])
})

test('a purchase is durable before Stripe is asked, and is asked about where nothing more is told', async () => {
  const accountId = uuidv7()
  const { stripe } = shop({
    createSession: async () => {
      throw new Error('killed here')
    },
  })
  const sent = form()
  const answer = await ask(await personIn(accountId, 'owner'), stripe)(`/accounts/${accountId}/billing/purchases`, sent)
  expect(answer.status).toBe(500)
  expect(await findPurchase(sql, sent.form)).toMatchObject({ state: 'created', accountId })
  expect(await sql`select kind from job where id = ${sent.form}`).toMatchObject([{ kind: 'purchase.ask' }])
})

test('a purchase that was begun with a key of the other mode is not paid with this one', async () => {
  const accountId = uuidv7()
  const person = await personIn(accountId, 'owner')
  const broken = shop({
    createSession: async () => {
      throw new Error('killed here')
    },
  })
  const sent = form()
  await ask(person, broken.stripe)(`/accounts/${accountId}/billing/purchases`, sent)
  const { created, stripe } = shop({ livemode: true })
  expect((await ask(person, stripe)(`/accounts/${accountId}/billing/purchases`, sent)).status).toBe(400)
  expect([created, (await findPurchase(sql, sent.form))?.state]).toEqual([[], 'created'])
})

test('a pack that is not on sale, or not at these terms, is not sold', async () => {
  const accountId = uuidv7()
  const send = ask(await personIn(accountId, 'owner'), shop().stripe)
  const faults: Record<string, string>[] = [
    { pack: 'huge' },
    { terms: '2-1000-1000-usd' },
    { terms: '1-1000-900-usd' },
    { terms: '' },
    { form: 'mine' },
  ]
  for (const wrong of faults) expect((await send(`/accounts/${accountId}/billing/purchases`, form(wrong))).status).toBe(400)
  expect(await listPurchases(sql, accountId, 10)).toHaveLength(0)
})

test('more than thirty checkouts an hour are refused', async () => {
  const accountId = uuidv7()
  const send = ask(await personIn(accountId, 'owner'), shop().stripe)
  for (let index = 0; index < 30; index++) await send(`/accounts/${accountId}/billing/purchases`, form())
  expect((await send(`/accounts/${accountId}/billing/purchases`, form())).status).toBe(429)
})

test('members see and do not buy, viewers see nothing, strangers find nothing', async () => {
  const accountId = uuidv7()
  const { stripe } = shop()
  const owner = ask(await personIn(accountId, 'owner'), stripe)
  const sent = form()
  await owner(`/accounts/${accountId}/billing/purchases`, sent)
  const page = `/accounts/${accountId}/billing`
  const paths = [page, `${page}/purchases/${sent.form}`, `${page}/purchases/${sent.form}/state`]
  const acts = [`${page}/purchases`, `${page}/portal`, `${page}/purchases/${sent.form}/ask`]
  const expected = { owner: [200, 303], member: [200, 403], viewer: [403, 403] } as const
  for (const role of ['owner', 'member', 'viewer'] as const) {
    const send = ask(
      await personIn(accountId, role),
      fakeStripe({ ...stripe, createPortalUrl: async () => 'https://billing.stripe.com/p/1' }),
    )
    for (const path of paths) expect([role, path, (await send(path)).status]).toEqual([role, path, expected[role][0]])
    for (const path of acts) expect([role, path, (await send(path, form())).status]).toEqual([role, path, expected[role][1]])
  }
  const elsewhere = uuidv7()
  const stranger = ask(await personIn(elsewhere, 'owner'), stripe)
  for (const path of [...paths, `/accounts/${elsewhere}/billing/purchases/${sent.form}`]) expect((await stranger(path)).status).toBe(404)
})

test('the page after a payment says what is known, and what is owed is shown', async () => {
  const accountId = uuidv7()
  const send = ask(await personIn(accountId, 'owner'), shop().stripe)
  const sent = form()
  await send(`/accounts/${accountId}/billing/purchases`, sent)
  const path = `/accounts/${accountId}/billing/purchases/${sent.form}`
  expect(await (await send(path)).text()).toContain('The payment is being confirmed')
  await sql`update purchase set state = 'granted', payment_intent_id = ${`pi_${sent.form}`} where id = ${sent.form}`
  expect(await (await send(`${path}/state`)).json()).toMatchObject({ state: 'granted', ended: true })
  const billingText = await (await send(`/accounts/${accountId}/billing?left=${sent.form}`)).text()
  expect(billingText).toContain('Owed')
  expect(billingText).toContain('$0.01 per credit')
})

test('one person has Stripe asked so often an hour, and no more', async () => {
  const accountId = uuidv7()
  const person = await personIn(accountId, 'member')
  const { id } = await insertTestPurchase(sql, { accountId })
  let asked = 0
  const findDocuments = async () => ({ receipt: `https://pay.stripe.com/receipts/${++asked}`, invoice: null })
  const send = ask(person, shop({ findDocuments }).stripe)
  const statuses = new Map<number, number>()
  for (let turn = 0; turn < stripeLimit.max + 5; turn++) {
    const { status } = await send(`/accounts/${accountId}/billing/purchases/${id}/receipt`)
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
  }
  expect([...statuses]).toEqual([
    [303, stripeLimit.max],
    [429, 5],
  ])
  expect(asked).toBe(stripeLimit.max)
})

test('a purchase whose money went back says so, on its page and in the list', async () => {
  const accountId = uuidv7()
  const person = await personIn(accountId, 'owner')
  const payment = `pi_${accountId}`
  const { id } = await insertTestPurchase(sql, { accountId })
  await sql`update purchase set state = 'granted', payment_intent_id = ${payment} where id = ${id}`
  const grant = { id: `g-${id}`, kind: 'grant', credits: 1_000, reason: 'a test' } as const
  await sql.begin(sql => insertChanges(sql, id, [grant, { ...grant, id: `d-${id}`, kind: 'debit', credits: 400 }]))
  const send = ask(person, shop().stripe)
  const path = `/accounts/${accountId}/billing`
  const read = async (path: string) => (await send(path)).text()
  expect(await read(`${path}/purchases/${id}`)).toContain('400 credits of this purchase were taken back, because it was refunded')
  expect(await read(path)).toContain('400 taken back')
  await sql`
    insert into reversal (id, kind, payment_intent_id, amount, currency, status, told_at, counted)
    values (${`dp-${id}`}, 'dispute', ${payment}, 400, 'usd', 'needs_response', now(), 400)`
  expect(await read(`${path}/purchases/${id}`)).toContain('the payment is disputed')
  expect(await read(path)).toContain('400 taken back, disputed')
  await sql.begin(sql => insertChanges(sql, id, [{ ...grant, id: `d-${id}:2`, credits: 400 }]))
  expect(await read(`${path}/purchases/${id}`)).toContain('The credits are in your balance')
})

test('without a key of Stripe nothing is sold, and the page says so', async () => {
  const accountId = uuidv7()
  const send = ask(await personIn(accountId, 'owner'), undefined)
  expect(await (await send(`/accounts/${accountId}/billing`)).text()).toContain('Credits are not sold here.')
  expect((await send(`/accounts/${accountId}/billing/purchases`, form())).status).toBe(404)
})

test('where credits are not sold the page names whom to ask, and the account to name', async () => {
  const owner = await personIn('acct_contact', 'owner')
  const note = async (contact?: string) => {
    const html = await (await ask(owner, undefined, contact)('/accounts/acct_contact/billing')).text()
    expect([html.includes('Buy'), html.includes('Purchases')]).toEqual([false, false])
    return /<p>Credits are not sold here\.(.*?)<\/p>/.exec(html)?.[1]
  }
  const account = 'Name this account: <code>acct_contact</code>.'
  expect(await note()).toBe(` To get some, ask the operator of this installation. ${account}`)
  expect(await note('billing@example.com')).toBe(
    ` To get some, write to <a href="mailto:billing@example.com">billing@example.com</a>. ${account}`,
  )
  expect(await note('https://example.com/credits')).toContain(
    'go to <a href="https://example.com/credits" rel="noopener">example.com/credits</a>',
  )
})
