import type { Static, TSchema } from '@sinclair/typebox'
import type { FormFields } from '../../http/read-form'
import type { OperateDeps, Operator } from '../access/require-operator'
import type { ServiceRequest } from '../services/services'
import { type ActionInput, type ActionResult, actionResult, performAction } from './perform-action'

/** `made` is the gateway's answer, undefined where it refused or gave none: the act's page says which. */
export type SecretActionResult<T> = { actionId: number; created: T | undefined }

/**
 * Performs an action that creates a secret. The secret is only in the gateway's response: no row and no log contains
 * it.
 */
export async function performActionWithSecret<S extends TSchema>(
  deps: OperateDeps,
  operator: Operator,
  form: FormFields,
  { serviceRequest, done, ...action }: ActionInput & { serviceRequest: ServiceRequest<S>; done(made: Static<S>): string },
): Promise<SecretActionResult<Static<S>>> {
  let created: Static<S> | undefined
  const number = await performAction(deps, operator, form, action, async () => {
    const response = await deps.services.ask(operator.person, 'gateway', serviceRequest)
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
