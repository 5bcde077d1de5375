import { Failure } from '@filmgate/kit/failure'
import { words } from '@filmgate/kit/request/text'
import { NewAccount } from '@filmgate/proto/operator/account'
import { Value } from '@sinclair/typebox/value'
import type { Form } from '../../door/read-form'
import type { Reason } from '../../errors'
import { performForSecret } from '../acts/perform-for-secret'
import type { OperateDeps, Operator } from '../door/operator-of'

const Name = words(200)
const creditsMax = 1_000_000_000_000
/** The gateway waits for the ledger's grant. */
const openTimeoutMs = 30_000

/** Opens an account of the API with its first key. The act is kept under its name: the gateway chooses its id. */
export function openAccount(deps: OperateDeps, operator: Operator, form: Form) {
  const name = form.get('name')
  const [credits, starter] = [creditsOf(form, 'credits'), creditsOf(form, 'starter')]
  if (!Value.Check(Name, name)) throw mend('Give it a name of 1 to 200 characters.')
  return performForSecret(deps, operator, form, {
    act: 'account_opened',
    subject: name,
    details: { credits, starter },
    question: {
      ...{ answer: NewAccount, method: 'POST', path: '/accounts', timeoutMs: openTimeoutMs },
      body: { name, credits, starter_credits: starter },
    },
    done: ({ account_id }) => `The account ${account_id} is open. The secret of its first key was shown once.`,
  })
}

function creditsOf(form: Form, name: 'credits' | 'starter'): number {
  const text = form.get(name)
  if (!/^\d{1,13}$/.test(text) || Number(text) > creditsMax) throw mend('Say how many credits: whole numbers from 0.')
  return Number(text)
}

const mend = (words: string) => new Failure<Reason>('invalid_request', { message: `${words} Nothing was done.` })
