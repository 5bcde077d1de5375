import { RevokedKey } from '@filmgate/proto/operator/account'
import type { FormFields } from '../../http/read-form'
import type { OperateDeps, Operator } from '../access/require-operator'
import { actionResult, performAction } from '../actions/perform-action'

/** Revokes a key of an account everywhere within 5 s. */
export const revokeKey = (
  deps: OperateDeps,
  operator: Operator,
  form: FormFields,
  { accountId, keyId }: { accountId: string; keyId: string },
) =>
  performAction(deps, operator, form, { action: 'key_revoked', subject: keyId, accountId }, async () =>
    actionResult(
      await deps.services.ask(operator.person, 'gateway', {
        ...{ answer: RevokedKey, method: 'DELETE', path: `/keys/${encodeURIComponent(keyId)}` },
      }),
      () => `The key ${keyId} is revoked. Requests with it are rejected within 5 seconds.`,
    ),
  )
