import { isTimeZone } from '@filmgate/kit/calendar/period'
import { Failure } from '@filmgate/kit/failure'
import { readJsonAs } from '@filmgate/kit/request/read-json'
import { Type } from '@sinclair/typebox'
import type { Reason } from '../errors'
import { type BudgetScope, budgetScopes, type Caps, type Subject } from './budget'

const cap = Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000_000_000 }))

/** All caps of one subject: one that is left out is none. The time zone is the account's, and stays where it is left out. */
export const BudgetBody = Type.Object(
  { total: cap, day: cap, month: cap, time_zone: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })) },
  { additionalProperties: false },
)

export const noCaps: Caps = { total: null, day: null, month: null }

export async function readBudgetBody(request: Request): Promise<{ caps: Caps; timeZone: string | undefined }> {
  const { time_zone: timeZone, ...caps } = await readJsonAs(BudgetBody, request)
  if (timeZone !== undefined && !isTimeZone(timeZone)) throw invalid('time_zone', 'time_zone must be an IANA name, such as Europe/Berlin')
  return { caps: { ...noCaps, ...caps }, timeZone }
}

const subjectForm = /^[A-Za-z0-9_-]{1,64}$/

/** Whose budget a path names; of an account only its own. */
export function readSubject(accountId: string, { scope, subject }: { scope: string; subject: string }): Subject {
  const known = budgetScopes.find(one => one === scope)
  if (!known) throw invalid('scope', `scope must be ${budgetScopes.join(', ')}`)
  if (!subjectForm.test(subject)) throw invalid('subject', 'subject is no id')
  if (known === 'account' && subject !== accountId) throw new Failure<Reason>('account_not_found')
  return { accountId, scope: known satisfies BudgetScope, subjectId: subject }
}

const invalid = (path: string, message: string) =>
  new Failure<Reason>('invalid_request', { details: { issues: [{ path, rule: 'format', message }] } })
