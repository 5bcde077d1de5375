import type { FormFields } from '../../http/read-form'
import type { OperateDeps, Operator } from '../access/require-operator'
import type { ServiceRequest } from '../services/services'
import { type ActionInput, type ActionResult, actionResult, performAction } from './perform-action'

/** The gateway's response when it creates a secret. */
export type CreatedSecret = { account_id?: string; key_id?: string; api_key: string }

/** `created` is undefined if the gateway rejected the request or did not answer; the action's page says which. */
export type SecretActionResult = { actionId: number; created: CreatedSecret | undefined }

/**
 * Performs an action that creates a secret. The secret is only in the gateway's response: no row and no log contains
 * it.
 */
export async function performActionWithSecret(
  deps: OperateDeps,
  operator: Operator,
  form: FormFields,
  { serviceRequest, done, ...action }: ActionInput & { serviceRequest: ServiceRequest; done(made: CreatedSecret): string },
): Promise<SecretActionResult> {
  let created: CreatedSecret | undefined
  const number = await performAction(deps, operator, form, action, async () => {
    const response = await deps.services.ask<CreatedSecret>(operator.person, 'gateway', serviceRequest)
    if (response.ok) created = response.value
    return withUnseenSecret(actionResult(response, done))
  })
  return { actionId: number, created }
}

/** If the response is lost, so is the secret. */
const withUnseenSecret = (result: ActionResult): ActionResult =>
  result.outcome === 'unknown'
    ? { ...result, answer: `${result.answer} A key whose secret nobody has seen can be rotated or revoked.` }
    : result
