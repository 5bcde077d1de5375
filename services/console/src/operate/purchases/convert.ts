import { Failure } from '@filmgate/kit/failure'
import { type Setting, setConverted } from '../../billing/changes/set-converted'
import type { Purchase } from '../../billing/purchases/purchase'
import type { Form } from '../../door/read-form'
import type { Reason } from '../../errors'
import { perform } from '../acts/perform'
import type { OperateDeps, Operator } from '../door/operator-of'

const refusals: Record<Exclude<Setting, 'set'>, string> = {
  not_wanted: 'It doesn’t wait for this: the dispute is over, of another payment, or its share is known by now.',
  too_much: 'That is more than was paid.',
}

/** Says what of the payment a dispute in another currency is. Its share of the credits is taken then. */
export function convert({ sql }: Pick<OperateDeps, 'sql'>, operator: Operator, form: Form, purchase: Purchase) {
  const [reversalId, text] = [form.get('reversal'), form.get('amount')]
  if (!/^\d{1,12}$/.test(text))
    throw new Failure<Reason>('invalid_request', { message: 'The amount must be a whole number. Nothing was done.' })
  const { id, accountId } = purchase
  const amount = Number(text)
  const details = { reversal: reversalId.slice(0, 255), amount }
  return perform({ sql }, operator, form, { act: 'dispute_converted', subject: id, accountId, details }, async () => {
    const answer = await setConverted(sql, purchase, { reversalId, amount })
    if (answer !== 'set') return { outcome: 'refused', answer: refusals[answer] }
    return { outcome: 'done', answer: `${reversalId} counts with ${amount}: its share of the credits is being taken.` }
  })
}
