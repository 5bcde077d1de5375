import { Failure } from '@filmgate/kit/failure'
import { type SetConvertedResult, setConverted } from '../../billing/changes/set-converted'
import type { Purchase } from '../../billing/purchases/purchase'
import type { Reason } from '../../errors'
import type { FormFields } from '../../http/read-form'
import type { OperateDeps, Operator } from '../access/require-operator'
import { performAction } from '../actions/perform-action'

const refusals: Record<Exclude<SetConvertedResult, 'set'>, string> = {
  not_wanted: 'There is nothing to set: the dispute has ended, belongs to another payment, or its share is already known.',
  too_much: 'This exceeds the paid amount.',
}

/** Sets how much of the payment a dispute in another currency covers. Its share of the credits is then taken back. */
export function convert({ sql }: Pick<OperateDeps, 'sql'>, operator: Operator, form: FormFields, purchase: Purchase) {
  const [reversalId, text] = [form.get('reversal'), form.get('amount')]
  if (!/^\d{1,12}$/.test(text))
    throw new Failure<Reason>('invalid_request', { message: 'The amount must be a whole number. Nothing was done.' })
  const { id, accountId } = purchase
  const amount = Number(text)
  const details = { reversal: reversalId.slice(0, 255), amount }
  return performAction({ sql }, operator, form, { action: 'dispute_converted', subject: id, accountId, details }, async () => {
    const answer = await setConverted(sql, purchase, { reversalId, amount })
    if (answer !== 'set') return { outcome: 'refused', answer: refusals[answer] }
    return { outcome: 'done', answer: `${reversalId} counts as ${amount}: its share of the credits is being taken back.` }
  })
}
