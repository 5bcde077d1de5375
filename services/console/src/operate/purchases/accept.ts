import { type AcceptResult, acceptPurchase } from '../../billing/purchases/accept-purchase'
import type { Purchase } from '../../billing/purchases/purchase'
import type { FormFields } from '../../http/read-form'
import type { OperateDeps, Operator } from '../access/require-operator'
import { performAction } from '../actions/perform-action'

const refusals: Record<Exclude<AcceptResult, 'accepted'>, string> = {
  not_in_review: 'This purchase is not in review any more.',
  not_paid: 'It has no known payment, so there is nothing to accept.',
  account_closed: 'Its account is closed. Refund it at Stripe.',
  money_is_out: 'All of its money was refunded or is disputed.',
}

/**
 * Grants a pack's credits for a payment that differs from its price. The console decides this itself, without calling a
 * service before the grant.
 */
export const accept = (
  { sql }: Pick<OperateDeps, 'sql'>,
  operator: Operator,
  form: FormFields,
  { id, accountId, paidAmount, paidCurrency }: Purchase,
) => {
  const details = { ...(paidAmount !== null && { paid: paidAmount }), ...(paidCurrency !== null && { currency: paidCurrency }) }
  return performAction({ sql }, operator, form, { action: 'purchase_accepted', subject: id, accountId, details }, async () => {
    const answer = await acceptPurchase(sql, id)
    if (answer !== 'accepted') return { outcome: 'refused', answer: refusals[answer] }
    return { outcome: 'done', answer: `The purchase ${id} is accepted: its credits are being added.` }
  })
}
