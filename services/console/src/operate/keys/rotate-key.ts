import { NewKey } from '@filmgate/proto/operator/account'
import type { Form } from '../../door/read-form'
import { performForSecret } from '../acts/perform-for-secret'
import type { OperateDeps, Operator } from '../door/operator-of'

/** Another secret for a key; the former one works on for the gateway's overlap. */
export const rotateKey = (deps: OperateDeps, operator: Operator, form: Form, { accountId, keyId }: { accountId: string; keyId: string }) =>
  performForSecret(deps, operator, form, {
    act: 'key_rotated',
    subject: keyId,
    accountId,
    question: { answer: NewKey, method: 'POST', path: `/keys/${encodeURIComponent(keyId)}/rotate` },
    done: () => `The key ${keyId} has another secret, which was shown once. The former one works on for the overlap.`,
  })
