import { RevokedKey } from '@filmgate/proto/operator/account'
import type { Form } from '../../door/read-form'
import { perform, resultOf } from '../acts/perform'
import type { OperateDeps, Operator } from '../door/operator-of'

/** Ends a key of an account everywhere within 5 s. */
export const revokeKey = (deps: OperateDeps, operator: Operator, form: Form, { accountId, keyId }: { accountId: string; keyId: string }) =>
  perform(deps, operator, form, { act: 'key_revoked', subject: keyId, accountId }, async () =>
    resultOf(
      await deps.services.ask(operator.person, 'gateway', {
        ...{ answer: RevokedKey, method: 'DELETE', path: `/keys/${encodeURIComponent(keyId)}` },
      }),
      () => `The key ${keyId} is revoked: it opens nothing any more within 5 seconds.`,
    ),
  )
