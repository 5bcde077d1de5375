import { Failure } from '@filmgate/kit/failure'
import { ChangeResult } from '@filmgate/proto/operator/account'
import { uuidv7 } from 'uuidv7'
import type { Form } from '../../door/read-form'
import type { Reason } from '../../errors'
import { credits as creditsText } from '../../layout/numbers'
import { perform, type Result, resultOf } from '../acts/perform'
import type { OperateDeps, Operator } from '../door/operator-of'

export type ChangeKind = 'grant' | 'debit'

const changeForm = /^console-[0-9a-f-]{36}$/
const creditsMax = 1_000_000_000_000
/** The gateway waits for the ledger's decision as long. */
const decisionTimeoutMs = 30_000

export const newChangeId = (): string => `console-${uuidv7()}`

/** Grants or debits, by the id in the form: one that got no answer can be sent again and never counts twice. */
export function changeCredits(
  deps: OperateDeps,
  operator: Operator,
  form: Form,
  { kind, accountId }: { kind: ChangeKind; accountId: string },
) {
  const credits = Number(form.get('credits'))
  const balance = form.get('balance')
  const id = form.get('change')
  if (!/^\d{1,13}$/.test(form.get('credits')) || credits < 1 || credits > creditsMax)
    throw mend('Say how many credits: a whole number from 1.')
  if (balance !== 'paid' && balance !== 'starter') throw mend('Say which balance: paid or starter.')
  if (!changeForm.test(id)) throw new Failure<Reason>('invalid_form')
  const act = kind === 'grant' ? 'credits_granted' : 'credits_debited'
  return perform(deps, operator, form, { act, subject: id, accountId, details: { credits, balance } }, async reason => {
    const path = `/accounts/${encodeURIComponent(accountId)}/${kind}s`
    const body = { id, credits, balance, reason }
    const question = { answer: ChangeResult, method: 'POST', path, body, timeoutMs: decisionTimeoutMs } as const
    return resultOf(await deps.services.ask(operator.person, 'gateway', question), resultOfChange)
  })
}

export function resultOfChange(change: ChangeResult): string | Result {
  const { kind, credits, balance, state } = change
  const what = `The ${kind} of ${creditsText(credits)} (${balance})`
  if (change.state === 'declined')
    return { outcome: 'refused', answer: `The ledger declined it: ${(change.refusal ?? 'no cause given').replaceAll('_', ' ')}.` }
  if (state === 'awaiting_second') return `${what} is more than one operator may move: it waits until another approves it.`
  return state === 'applied' ? `${what} is booked.` : `${what} is on its way: the ledger has not decided yet.`
}

const mend = (words: string) => new Failure<Reason>('invalid_request', { message: `${words} Nothing was done.` })
