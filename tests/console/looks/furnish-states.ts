import { seededRandom } from '../../support/random'
import { run } from '../../support/servers/databases'
import { settings } from '../../support/settings'
import { until } from '../../support/until'
import { deliverAll } from '../payments/deliveries'
import { insertPurchase } from '../payments/insert-purchase'
import { tellStory } from '../payments/story'
import { linkMailed } from '../people/mailbox'
import { type Newcomer, signUpByWire } from '../people/sign-up'
import { hiddenIn, openWire } from '../people/wire'
import { stripeSettings } from '../stripe/settings'

const packAmount = 1_000
const signInsMax = 10

/** Purchases that ended otherwise: one whose money went back, and one whose payment is not as its pack says. */
export async function settleOtherwise({ accountId, wire }: Newcomer): Promise<{ paidBack: string; inReview: string }> {
  const { webhookSecret: secret } = stripeSettings(settings.portBase)
  const webhookUrl = `http://127.0.0.1:${settings.portBase + 6}/webhooks/stripe`
  async function settle(kind: 'whole refund' | 'paid', amount: number, words: string): Promise<string> {
    const id = await insertPurchase(accountId)
    const { events } = tellStory(seededRandom(1), { id, accountId, credits: 1_000, amount, currency: 'usd' }, kind)
    await deliverAll(
      { webhookUrl, secret, otherAccount: 'nobody' },
      events.map(event => ({ event })),
    )
    const path = `/accounts/${accountId}/billing/purchases/${id}`
    await until(`the purchase to say “${words}”`, async () => (await wire.get(path)).text.includes(words))
    return path
  }
  return {
    paidBack: await settle('whole refund', packAmount, 'Credits were taken back'),
    inReview: await settle('paid', packAmount - 100, 'This payment is in review'),
  }
}

/** An endpoint that can't be reached, with the delivery that failed. */
export async function addEndpoint({ accountId, wire }: Newcomer): Promise<string> {
  const path = `/accounts/${accountId}/webhooks`
  await wire.post(path, {
    form: hiddenIn((await wire.get(path)).text, 'form'),
    url: 'https://hooks.northern-lights-film-and-television.example.com/filmgate/videos',
    description: 'The studio’s own server, in the room behind the kitchen',
    events: 'task.completed',
  })
  const [, id = ''] = /webhooks\/(whe_\w+)/.exec((await wire.get(path)).text) ?? []
  await wire.post(`${path}/${id}/test`)
  await until('the test delivery', async () => (await wire.get(`${path}/${id}`)).text.includes('webhook.test'))
  return id
}

/** Budgets of the account and of a key, some of it spent. */
export async function capSpending({ accountId, wire }: Newcomer, key: string): Promise<void> {
  for (const [of, total, month] of [
    ['account', '', '20000'],
    [`keys/${key}`, '500', ''],
  ] as const) {
    const path = `/accounts/${accountId}/budgets/${of}`
    await wire.post(path, { form: hiddenIn((await wire.get(path)).text, 'form'), total, day: '', month, time_zone: 'Europe/Berlin' })
  }
}

/** A grant above what one operator may move, which waits for a second one. */
export const askForGrant = (accountId: string) =>
  run(
    'gateway',
    `insert into awaited_change (id, account_id, kind, balance, credits, reason, operator, asked_at)
     values ($1, $2, 'grant', 'paid', 2500000, $3, 'first.operator@operators.example', now())`,
    [crypto.randomUUID(), accountId, 'Yearly contract, signed on the 3rd; the invoice was paid by bank transfer'],
  )

/** Somebody who joins the account by an invitation. */
export async function addViewer({ accountId, wire }: Newcomer): Promise<Newcomer> {
  const viewer = await signUpByWire('Vivian')
  await wire.post(`/accounts/${accountId}/members/invitations`, { email: viewer.email, role: 'viewer' })
  await viewer.wire.post(new URL(await linkMailed(viewer.email, '/invitations/')).pathname)
  return viewer
}

/** An address that somebody has tried as often as one may. */
export async function tryTooOften(email: string): Promise<void> {
  for (let tries = 0; tries < signInsMax; tries++) await openWire().post('/sign-in', { email, password: 'not the one', next: '/' })
}
