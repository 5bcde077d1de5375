import type { Random } from '../../support/random'
import type { Pack } from './packs'

export type StripeEvent = { id: string; object: 'event'; type: string; livemode: boolean; created: number; data: { object: object } }
export type Bought = Pack & { id: string; accountId: string }

/**
 * What Stripe tells of one purchase, its objects as they stand there in the end, and the money that came and that is
 * out then; of what is out in another currency its share.
 */
export type Story = {
  bought: Bought
  kind: StoryKind
  events: StripeEvent[]
  objects: StripeObject[]
  paid: number
  refunded: number
  disputed: number
}
export type StripeObject = { id: string; object: string; created: number } & Record<string, unknown>

const kinds = [
  ...Array.from({ length: 8 }, () => 'paid' as const),
  ...(['part refund', 'part refund', 'parts refunded', 'whole refund', 'whole refund', 'failed refund'] as const),
  ...(['lost dispute', 'lost dispute', 'open dispute', 'won dispute', 'inquiry', 'refund and dispute'] as const),
  ...(['returned twice', 'dispute in another currency', 'dispute of no known share', 'nothing to pay'] as const),
  ...(['late payment', 'failed payment', 'left'] as const),
]
export type StoryKind = (typeof kinds)[number]

type Money = { amount: number; currency: string }
type Step = [type: string, status: string]

/** Stripe goes on telling for three days. */
const oldestSeconds = 2 * 86_400

export function tellStory(random: Random, bought: Bought, kind: StoryKind = random.oneOf(kinds)): Story {
  const { amount: whole, currency } = bought
  const payment = `pi_${bought.id.replaceAll('-', '')}`
  const began = Math.floor(Date.now() / 1_000) - Math.floor(random.between(600, oldestSeconds))
  const events: StripeEvent[] = []
  const objects: StripeObject[] = []
  const tell = (type: string, object: object) => {
    const created = began + events.length
    events.push({ id: `evt_${payment}_${events.length}`, object: 'event', type, livemode: false, created, data: { object } })
  }
  const metadata = { purchase: bought.id, account: bought.accountId }
  const session = (more: object) => ({
    ...{ id: `cs_${payment}`, object: 'checkout.session', client_reference_id: bought.id, metadata, invoice: `in_${payment}` },
    ...{ status: 'complete', payment_status: 'paid', payment_intent: payment, amount_total: whole, currency },
    ...more,
  })
  const pay = (more: object = {}) => {
    const terms = { amount: whole, currency, metadata, created: began, livemode: false }
    const charge = `ch_${payment}`
    const intent = { ...terms, id: payment, object: 'payment_intent', amount_received: whole, latest_charge: charge, status: 'succeeded' }
    objects.push(intent, { ...terms, id: charge, object: 'charge', payment_intent: payment, status: 'succeeded', ...more })
    tell('payment_intent.succeeded', intent)
    tell('checkout.session.completed', session({}))
  }
  let sent = 0
  const reversal = (of: 'refund' | 'dispute', money: Money, ...steps: Step[]) => {
    const id = `${of === 'refund' ? 're' : 'dp'}_${payment}_${sent++}`
    const object = { id, object: of, payment_intent: payment, charge: `ch_${payment}`, created: began + events.length, ...money }
    for (const [type, status] of steps) tell(type, { ...object, status })
    objects.push({ ...object, status: steps.at(-1)?.[1] })
  }
  const refund = (amount: number) =>
    reversal('refund', { amount, currency }, ['refund.created', 'pending'], ['refund.updated', 'succeeded'])
  const dispute = (amount: number, ...ends: Step[]) => disputeOf({ amount, currency }, ...ends)
  const disputeOf = (money: Money, ...ends: Step[]) =>
    reversal('dispute', money, ['charge.dispute.created', 'needs_response'], ['charge.dispute.updated', 'under_review'], ...ends)
  const money = (refunded = 0, disputed = 0): Story => ({ bought, kind, events, objects, paid: whole, refunded, disputed })
  const part = Math.floor(random.between(1, whole / 4))

  if (kind === 'left') {
    tell('checkout.session.expired', session({ status: 'expired', payment_status: 'unpaid', payment_intent: null }))
    return { ...money(), paid: 0 }
  }
  if (kind === 'late payment' || kind === 'failed payment') {
    const came = kind === 'late payment'
    tell('checkout.session.completed', session({ payment_status: 'unpaid' }))
    if (came) pay()
    const type = `checkout.session.async_payment_${came ? 'succeeded' : 'failed'}`
    tell(type, session({ payment_status: came ? 'paid' : 'unpaid' }))
    return { ...money(), paid: came ? whole : 0 }
  }
  if (kind === 'nothing to pay') {
    tell('checkout.session.completed', session({ payment_status: 'no_payment_required', payment_intent: null, amount_total: 0 }))
    return { ...money(), paid: 0 }
  }
  // A customer who paid in francs, at two to one.
  pay(kind === 'dispute in another currency' ? { presentment_details: { presentment_amount: 2 * whole, presentment_currency: 'chf' } } : {})
  if (kind === 'part refund') {
    refund(part)
    return money(part)
  }
  if (kind === 'parts refunded') {
    for (const amount of [part, 1, part]) refund(amount)
    return money(2 * part + 1)
  }
  if (kind === 'whole refund') {
    refund(whole)
    return money(whole)
  }
  if (kind === 'failed refund') {
    reversal(
      'refund',
      { amount: part, currency },
      ['refund.created', 'pending'],
      ['refund.updated', 'succeeded'],
      ['refund.failed', 'failed'],
    )
    return money()
  }
  if (kind === 'lost dispute') {
    dispute(whole, ['charge.dispute.closed', 'lost'])
    return money(0, whole)
  }
  if (kind === 'open dispute') {
    dispute(part)
    return money(0, part)
  }
  if (kind === 'won dispute') {
    dispute(whole, ['charge.dispute.closed', 'won'], ['charge.dispute.funds_reinstated', 'won'])
    return money()
  }
  if (kind === 'inquiry') {
    reversal(
      'dispute',
      { amount: whole, currency },
      ['charge.dispute.created', 'warning_needs_response'],
      ['charge.dispute.closed', 'warning_closed'],
    )
    return money()
  }
  if (kind === 'refund and dispute') {
    refund(part)
    dispute(whole - part, ['charge.dispute.closed', 'lost'])
    return money(part, whole - part)
  }
  if (kind === 'returned twice') {
    refund(whole)
    dispute(whole, ['charge.dispute.closed', 'lost'])
    return money(whole, whole)
  }
  if (kind === 'dispute in another currency') {
    disputeOf({ amount: 2 * part + 1, currency: 'chf' }, ['charge.dispute.closed', 'lost'])
    return money(0, part)
  }
  if (kind === 'dispute of no known share') {
    disputeOf({ amount: part, currency: 'chf' }, ['charge.dispute.closed', 'lost'])
    return money()
  }
  return money()
}
