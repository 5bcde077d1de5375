import { Failure } from '@filmgate/kit/failure'
import { NewKey } from '@filmgate/proto/operator/account'
import type { Form } from '../../door/read-form'
import type { Reason } from '../../errors'
import { readNewKey } from '../../keys/read-new-key'
import { performForSecret } from '../acts/perform-for-secret'
import type { OperateDeps, Operator } from '../door/operator-of'

/** A further key of an account. The act is kept under the name of the key, whose id the gateway chooses. */
export function createKey(deps: OperateDeps, operator: Operator, form: Form, accountId: string) {
  const read = readNewKey(form, new Date())
  if (!read.ok) throw new Failure<Reason>('invalid_request', { message: `${Object.values(read.issues).join(' ')} Nothing was done.` })
  const { name, expiresAt, fields } = read
  return performForSecret(deps, operator, form, {
    act: 'key_created',
    subject: name,
    accountId,
    details: { expires: fields.expires, ...(fields.expires === 'date' && { date: fields.date }) },
    question: {
      answer: NewKey,
      method: 'POST',
      path: `/accounts/${encodeURIComponent(accountId)}/keys`,
      body: { name, ...(expiresAt && { expires_at: expiresAt.toISOString() }) },
    },
    done: ({ key_id }) => `The key ${key_id} works. Its secret was shown once.`,
  })
}
