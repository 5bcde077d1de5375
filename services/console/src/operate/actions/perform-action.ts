import type { Sql } from '@filmgate/kit/database/postgres'
import { Failure } from '@filmgate/kit/failure'
import { words } from '@filmgate/kit/request/text'
import { Value } from '@sinclair/typebox/value'
import type { Reason } from '../../errors'
import type { FormFields } from '../../http/read-form'
import { submitOnce } from '../../http/submit-once'
import type { Operator } from '../access/require-operator'
import { errorMessage, isOutcomeUnknown, type ServiceResult } from '../services/services'
import { type Details, endAction, insertAction, type Outcome } from './action-repository'
import type { OperatorActionName } from './operator-actions'

export type ActionInput = { action: OperatorActionName; subject: string; accountId?: string | null; details?: Details }
export type ActionResult = { outcome: Outcome; answer: string }

type Deps = { sql: Sql }

/** Every action form has a reason and a confirmation. */
const ReasonText = words(500)

/**
 * Performs an operator action once. The action, its author and its reason are stored before a service is called, and
 * the outcome afterwards. Returns the action's id, with which its page shows the result. A service's rejection is a
 * result, not an error.
 */
export async function performAction(
  { sql }: Deps,
  { person, role }: Operator,
  form: FormFields,
  { action, subject, accountId = null, details = {} }: ActionInput,
  work: (reason: string) => Promise<ActionResult>,
): Promise<number> {
  const reason = form.get('reason').replace(/\s+/g, ' ')
  if (!Value.Check(ReasonText, reason))
    throw new Failure<Reason>('invalid_request', { message: 'Enter a reason of 1 to 500 characters. Nothing was done.' })
  if (form.get('confirm') !== 'yes') throw new Failure<Reason>('invalid_request', { message: 'Tick the confirmation. Nothing was done.' })
  await submitOnce(sql, form.get('form'))
  const { id: personId, email, address } = person
  const id = await insertAction(sql, { personId, email, role, action, subject, accountId, reason, details, address })
  await endAction(sql, id, await work(reason))
  return id
}

/** The result of a single service call. */
export const actionResult = <T>(response: ServiceResult<T>, done: (value: T, status: number) => string | ActionResult): ActionResult => {
  if (!response.ok) return { outcome: isOutcomeUnknown(response) ? 'unknown' : 'refused', answer: errorMessage(response) }
  const result = done(response.value, response.status)
  return typeof result === 'string' ? { outcome: 'done', answer: result } : result
}
