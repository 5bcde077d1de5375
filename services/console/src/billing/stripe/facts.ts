import { type Static, type TSchema, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { isReversalStatus, type ReversalKind } from './reversal-status'

/** The state of a Checkout session, from an event or from an API call. */
export type SessionFact = {
  kind: 'session'
  sessionId: string
  /** The purchase and the account that the session's metadata names. */
  purchaseId: string | null
  accountId: string | null
  status: 'open' | 'complete' | 'expired'
  isPaid: boolean
  /** Complete with nothing to pay, for example with a full coupon. Facts stored by an earlier version lack it. */
  isFree?: boolean
  /** A delayed payment did not arrive. */
  hasFailed: boolean
  paymentIntentId: string | null
  invoiceId: string | null
  amount: number | null
  currency: string | null
}

/** A payment that was received. */
export type PaymentFact = {
  kind: 'payment'
  purchaseId: string | null
  accountId: string | null
  paymentIntentId: string
  amount: number
  currency: string
}

/** The current state of a refund or dispute. */
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

/** An event of a needed type that can't be parsed. It must not be dropped. */
export class UnreadableError extends Error {
  override name = 'UnreadableError'
}

const nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()])
const id = Type.String({ minLength: 1, maxLength: 255 })
/** An id, or the expanded object. */
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
/** Differs from the amount only for payments that are captured in parts. */
const Payment = Type.Object({ id, metadata: Metadata, amount, amount_received: Type.Optional(amount), currency: Type.String() })
const Reversal = Type.Object({
  ...{ id, payment_intent: reference, amount, currency: Type.String(), status: nullable(Type.String()) },
  // For disputes: amounts withdrawn (negative) and reinstated (positive).
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
/** For a complete but unpaid checkout: the bank has declined, so no payment will follow. */
const endedStatuses = ['requires_payment_method', 'canceled']
const hasEnded = (payment: Static<typeof reference> | undefined): boolean =>
  typeof payment === 'object' && payment !== null && endedStatuses.includes(payment.status ?? '')
const metadataText = (metadata: Record<string, unknown> | null | undefined, name: string): string | null => {
  const text = metadata?.[name]
  return typeof text === 'string' ? text : null
}

export function sessionFact(object: unknown, hasFailed = false): SessionFact {
  const session = read(Session, 'session', object)
  return {
    kind: 'session',
    sessionId: session.id,
    purchaseId: session.client_reference_id ?? null,
    accountId: metadataText(session.metadata, 'account'),
    status: session.status ?? 'open',
    isPaid: session.payment_status === 'paid',
    isFree: session.status === 'complete' && session.payment_status === 'no_payment_required' && session.amount_total === 0,
    hasFailed: hasFailed || hasEnded(session.payment_intent),
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
    purchaseId: metadataText(payment.metadata, 'purchase'),
    accountId: metadataText(payment.metadata, 'account'),
    paymentIntentId: payment.id,
    amount: payment.amount_received ?? payment.amount,
    currency: payment.currency,
  }
}

/** Undefined for a reversal without a payment intent, which our checkouts always have. */
export function reversalFact(reversal: ReversalKind, object: unknown): ReversalFact | undefined {
  const { id: reversalId, payment_intent, amount, currency, status, ...dispute } = read(Reversal, reversal, object)
  const paymentIntentId = idOf(payment_intent)
  if (!paymentIntentId) return undefined
  const known = status === 'prevented' && isPaidBack(dispute) ? 'prevented_paid_back' : (status ?? 'pending')
  if (!isReversalStatus(reversal, known)) throw new UnreadableError(`${reversal} ${reversalId}: the status ${known} is not known`)
  return { kind: 'reversal', reversal, reversalId, paymentIntentId, amount, currency, status: known }
}

/**
 * Of a prevented dispute: Stripe's balance transactions say whether money left. Without them, a `resolution` case is a
 * rule that refunds the customer first; a refund of the same amount is the same money, see `planReversals`.
 */
function isPaidBack({ balance_transactions: bookings, payment_method_details: details }: Partial<Static<typeof Reversal>>): boolean {
  if (bookings && bookings.length > 0) return bookings.reduce((sum, { amount }) => sum + amount, 0) < 0
  return details?.card?.case_type === 'resolution'
}

const refund = (object: unknown) => reversalFact('refund', object)
const dispute = (object: unknown) => reversalFact('dispute', object)

/** The event types that are used, and how to parse each. Subscribe the Stripe endpoint to these types. */
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
