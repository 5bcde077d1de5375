import { NewKey } from '@filmgate/proto/operator/account'
import type { FormFields } from '../../http/read-form'
import type { OperateDeps, Operator } from '../access/require-operator'
import { performActionWithSecret } from '../actions/perform-action-with-secret'

/** Rotates a key. The previous secret works for the gateway's overlap. */
export const rotateKey = (
  deps: OperateDeps,
  operator: Operator,
  form: FormFields,
  { accountId, keyId }: { accountId: string; keyId: string },
) =>
  performActionWithSecret(deps, operator, form, {
    action: 'key_rotated',
    subject: keyId,
    accountId,
    serviceRequest: { answer: NewKey, method: 'POST', path: `/keys/${encodeURIComponent(keyId)}/rotate` },
    done: () => `The key ${keyId} has a new secret, which was shown once. The previous one works for the overlap.`,
  })
