import { Failure } from '@filmgate/kit/failure'
import { words } from '@filmgate/kit/request/text'
import { NewAccount } from '@filmgate/proto/operator/account'
import { Value } from '@sinclair/typebox/value'
import type { Reason } from '../../errors'
import type { FormFields } from '../../http/read-form'
import type { OperateDeps, Operator } from '../access/require-operator'
import { performActionWithSecret } from '../actions/perform-action-with-secret'

const Name = words(200)
const creditsMax = 1_000_000_000_000
/** The gateway waits for the ledger's grant. */
const openTimeoutMs = 30_000

/**
 * Opens an API account with its first key. The action is recorded under the account's name, because the gateway chooses
 * the id.
 */
export function openAccount(deps: OperateDeps, operator: Operator, form: FormFields) {
  const name = form.get('name')
  const [credits, starter] = [creditsOf(form, 'credits'), creditsOf(form, 'starter')]
  if (!Value.Check(Name, name)) throw invalidRequest('Enter a name of 1 to 200 characters.')
  return performActionWithSecret(deps, operator, form, {
    action: 'account_opened',
    subject: name,
    details: { credits, starter },
    serviceRequest: {
      ...{ answer: NewAccount, method: 'POST', path: '/accounts', timeoutMs: openTimeoutMs },
      body: { name, credits, starter_credits: starter },
    },
    done: ({ account_id }) => `The account ${account_id} is open. The secret of its first key was shown once.`,
  })
}

function creditsOf(form: FormFields, name: 'credits' | 'starter'): number {
  const text = form.get(name)
  if (!/^\d{1,13}$/.test(text) || Number(text) > creditsMax) throw invalidRequest('Enter the number of credits: whole numbers from 0.')
  return Number(text)
}

const invalidRequest = (message: string) => new Failure<Reason>('invalid_request', { message: `${message} Nothing was done.` })
