import { type Static, type TSchema, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { isReversalStatus, type ReversalKind } from './reversal-status'

/** What is known of a Checkout session, whoever told it: an event, or Stripe when asked. */
export type SessionFact = {
  kind: 'session'
  sessionId: string
  /** What the session says it is for: our purchase, and its account. */
  purchaseId: string | null
  accountId: string | null
  status: 'open' | 'complete' | 'expired'
  isPaid: boolean
  /**
   * Complete, and there was nothing to pay, as with a full coupon. A fact kept by an earlier version doesn't have it.
   */
  isFree?: boolean
  /** A payment that takes days did not arrive. */
  hasFailed: boolean
  paymentIntentId: string | null
  invoiceId: string | null
  amount: number | null
  currency: string | null
}

/** A payment that has arrived. */
export type PaymentFact = {
  kind: 'payment'
  purchaseId: string | null
  accountId: string | null
  paymentIntentId: string
  amount: number
  currency: string
}

/** A refund or a dispute as it stands. */
export type ReversalFact = {
  kind: 'reversal'
  reversal: ReversalKind
  reversalId: string
  paymentIntentId: string
  amount: number
  currency: string
  status: string
}

export type Fact = SessionFact | PaymentFact | ReversalFact

/** An event of a type that we need says something that we can't read: nothing may be lost of it. */
export class UnreadableError extends Error {
  override name = 'UnreadableError'
}

const nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()])
const id = Type.String({ minLength: 1, maxLength: 255 })
/** An id, or the object where it was asked for whole. */
const reference = Type.Optional(nullable(Type.Union([id, Type.Object({ id, status: Type.Optional(nullable(Type.String())) })])))
const amount = Type.Integer({ minimum: 0 })
const Metadata = Type.Optional(nullable(Type.Record(Type.String(), Type.Unknown())))

const Session = Type.Object({
  id,
  client_reference_id: Type.Optional(nullable(Type.String())),
  metadata: Metadata,
  status: nullable(Type.Union([Type.Literal('open'), Type.Literal('complete'), Type.Literal('expired')])),
  payment_status: Type.String(),
  payment_intent: reference,
  invoice: reference,
  amount_total: nullable(amount),
  currency: nullable(Type.String()),
})
/** Only a payment that is captured in parts receives another amount than its own. */
const Payment = Type.Object({ id, metadata: Metadata, amount, amount_received: Type.Optional(amount), currency: Type.String() })
const Reversal = Type.Object({
  ...{ id, payment_intent: reference, amount, currency: Type.String(), status: nullable(Type.String()) },
  // Of disputes: what was withdrawn and reinstated because of it, below and above 0.
  balance_transactions: Type.Optional(nullable(Type.Array(Type.Object({ amount: Type.Integer() })))),
  payment_method_details: Type.Optional(
    nullable(Type.Object({ card: Type.Optional(nullable(Type.Object({ case_type: Type.Optional(nullable(Type.String())) }))) })),
  ),
})

const read = <S extends TSchema>(schema: S, what: string, object: unknown): Static<S> => {
  if (Value.Check(schema, object)) return object
  const fault = Value.Errors(schema, object).First()
  throw new UnreadableError(`${what}${fault?.path ?? ''}: ${fault?.message ?? 'of another form'}`)
}

const idOf = (value: string | { id: string } | null | undefined): string | null => (typeof value === 'string' ? value : (value?.id ?? null))
/** Of a checkout that is complete and not paid: the bank has said no, so nothing more is awaited. */
const noneAwaited = ['requires_payment_method', 'canceled']
const hasNone = (payment: Static<typeof reference> | undefined): boolean =>
  typeof payment === 'object' && payment !== null && noneAwaited.includes(payment.status ?? '')
const wordOf = (metadata: Record<string, unknown> | null | undefined, name: string): string | null => {
  const word = metadata?.[name]
  return typeof word === 'string' ? word : null
}

export function sessionFact(object: unknown, hasFailed = false): SessionFact {
  const session = read(Session, 'session', object)
  return {
    kind: 'session',
    sessionId: session.id,
    purchaseId: session.client_reference_id ?? null,
    accountId: wordOf(session.metadata, 'account'),
    status: session.status ?? 'open',
    isPaid: session.payment_status === 'paid',
    isFree: session.status === 'complete' && session.payment_status === 'no_payment_required' && session.amount_total === 0,
    hasFailed: hasFailed || hasNone(session.payment_intent),
    paymentIntentId: idOf(session.payment_intent),
    invoiceId: idOf(session.invoice),
    amount: session.amount_total,
    currency: session.currency,
  }
}

export function paymentFact(object: unknown): PaymentFact {
  const payment = read(Payment, 'payment intent', object)
  return {
    kind: 'payment',
    purchaseId: wordOf(payment.metadata, 'purchase'),
    accountId: wordOf(payment.metadata, 'account'),
    paymentIntentId: payment.id,
    amount: payment.amount_received ?? payment.amount,
    currency: payment.currency,
  }
}

/** Nothing where it is of a payment without a payment intent, which no checkout of ours makes. */
export function reversalFact(reversal: ReversalKind, object: unknown): ReversalFact | undefined {
  const { id: reversalId, payment_intent, amount, currency, status, ...dispute } = read(Reversal, reversal, object)
  const paymentIntentId = idOf(payment_intent)
  if (!paymentIntentId) return undefined
  const known = status === 'prevented' && isPaidBack(dispute) ? 'prevented_paid_back' : (status ?? 'pending')
  if (!isReversalStatus(reversal, known)) throw new UnreadableError(`${reversal} ${reversalId}: the status ${known} is not known`)
  return { kind: 'reversal', reversal, reversalId, paymentIntentId, amount, currency, status: known }
}

/**
 * Of a dispute that was prevented: Stripe's own bookings of it say whether money left. Without one, a `resolution` is a rule that refunds the
 * customer before there is a dispute; a refund of that amount, should Stripe tell one, is the same money, see `planReversals`.
 */
function isPaidBack({ balance_transactions: bookings, payment_method_details: details }: Partial<Static<typeof Reversal>>): boolean {
  if (bookings && bookings.length > 0) return bookings.reduce((sum, { amount }) => sum + amount, 0) < 0
  return details?.card?.case_type === 'resolution'
}

const refund = (object: unknown) => reversalFact('refund', object)
const dispute = (object: unknown) => reversalFact('dispute', object)

/** The types of events that say something, and how each is read: the list to subscribe an endpoint at Stripe to. */
export const eventReaders: Readonly<Record<string, (object: unknown) => Fact | undefined>> = {
  'checkout.session.completed': object => sessionFact(object),
  'checkout.session.async_payment_succeeded': object => sessionFact(object),
  'checkout.session.async_payment_failed': object => sessionFact(object, true),
  'checkout.session.expired': object => sessionFact(object),
  'payment_intent.succeeded': paymentFact,
  'refund.created': refund,
  'refund.updated': refund,
  'refund.failed': refund,
  'charge.refund.updated': refund,
  'charge.dispute.created': dispute,
  'charge.dispute.updated': dispute,
  'charge.dispute.closed': dispute,
  'charge.dispute.funds_withdrawn': dispute,
  'charge.dispute.funds_reinstated': dispute,
}
