import { Failure } from '@filmgate/kit/failure'
import { NewKey } from '@filmgate/proto/operator/account'
import type { Reason } from '../../errors'
import type { FormFields } from '../../http/read-form'
import { readNewKey } from '../../keys/read-new-key'
import type { OperateDeps, Operator } from '../access/require-operator'
import { performActionWithSecret } from '../actions/perform-action-with-secret'

/**
 * Creates a further key of an account. The action is recorded under the key's name, because the gateway chooses the id.
 */
export function createKey(deps: OperateDeps, operator: Operator, form: FormFields, accountId: string) {
  const read = readNewKey(form, new Date())
  if (!read.ok) throw new Failure<Reason>('invalid_request', { message: `${Object.values(read.issues).join(' ')} Nothing was done.` })
  const { name, expiresAt, fields } = read
  return performActionWithSecret(deps, operator, form, {
    action: 'key_created',
    subject: name,
    accountId,
    details: { expires: fields.expires, ...(fields.expires === 'date' && { date: fields.date }) },
    serviceRequest: {
      answer: NewKey,
      method: 'POST',
      path: `/accounts/${encodeURIComponent(accountId)}/keys`,
      body: { name, ...(expiresAt && { expires_at: expiresAt.toISOString() }) },
    },
    done: ({ key_id }) => `The key ${key_id} is created. Its secret was shown once.`,
  })
}
