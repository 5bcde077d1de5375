import { Failure } from '@filmgate/kit/failure'
import { ChangeResult } from '@filmgate/proto/operator/account'
import { uuidv7 } from 'uuidv7'
import type { Reason } from '../../errors'
import type { FormFields } from '../../http/read-form'
import { credits as creditsText } from '../../layout/numbers'
import type { OperateDeps, Operator } from '../access/require-operator'
import { type ActionResult, actionResult, performAction } from '../actions/perform-action'

export type ChangeKind = 'grant' | 'debit'

const changeForm = /^console-[0-9a-f-]{36}$/
const creditsMax = 1_000_000_000_000
/** The gateway waits this long for the ledger's decision. */
const decisionTimeoutMs = 30_000

export const newChangeId = (): string => `console-${uuidv7()}`

/** Grants or debits credits under the form's id. Resending a form whose outcome is unknown never counts twice. */
export function changeCredits(
  deps: OperateDeps,
  operator: Operator,
  form: FormFields,
  { kind, accountId }: { kind: ChangeKind; accountId: string },
) {
  const credits = Number(form.get('credits'))
  const balance = form.get('balance')
  const id = form.get('change')
  if (!/^\d{1,13}$/.test(form.get('credits')) || credits < 1 || credits > creditsMax)
    throw invalidRequest('Enter the number of credits: a whole number from 1.')
  if (balance !== 'paid' && balance !== 'starter') throw invalidRequest('Choose a balance: paid or starter.')
  if (!changeForm.test(id)) throw new Failure<Reason>('invalid_form')
  const action = kind === 'grant' ? 'credits_granted' : 'credits_debited'
  return performAction(deps, operator, form, { action, subject: id, accountId, details: { credits, balance } }, async reason => {
    const path = `/accounts/${encodeURIComponent(accountId)}/${kind}s`
    const body = { id, credits, balance, reason }
    const serviceRequest = { answer: ChangeResult, method: 'POST', path, body, timeoutMs: decisionTimeoutMs } as const
    return actionResult(await deps.services.ask(operator.person, 'gateway', serviceRequest), resultOfChange)
  })
}

export function resultOfChange(change: ChangeResult): string | ActionResult {
  const { kind, credits, balance, state } = change
  const what = `The ${kind} of ${creditsText(credits)} (${balance})`
  if (change.state === 'declined')
    return { outcome: 'refused', answer: `The ledger declined it: ${(change.refusal ?? 'no cause given').replaceAll('_', ' ')}.` }
  if (state === 'awaiting_second') return `${what} exceeds what one operator may move. It waits for a second approver.`
  return state === 'applied' ? `${what} is booked.` : `${what} is pending: the ledger has not decided yet.`
}

const invalidRequest = (message: string) => new Failure<Reason>('invalid_request', { message: `${message} Nothing was done.` })
