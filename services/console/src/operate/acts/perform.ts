import type { Sql } from '@filmgate/kit/database/postgres'
import { Failure } from '@filmgate/kit/failure'
import { words } from '@filmgate/kit/request/text'
import { Value } from '@sinclair/typebox/value'
import type { Form } from '../../door/read-form'
import { takeOnce } from '../../door/take-once'
import type { Reason } from '../../errors'
import type { Operator } from '../door/operator-of'
import { isUnknown, type Told, wordsOf } from '../services/services'
import type { ActName } from './act-names'
import { type Details, endAct, insertAct, type Outcome } from './act-repository'

export type NewAct = { act: ActName; subject: string; accountId?: string | null; details?: Details }
export type Result = { outcome: Outcome; answer: string }

type Deps = { sql: Sql }

/** What the form of every act has: why, and that it was meant. */
const Why = words(500)

/**
 * Does what an operator's form asks for: once, with why and by whom written down before a service is asked, and what became of it after. Returns
 * the act's number, by which its page shows the result; a refusal of a service is a result, too.
 */
export async function perform(
  { sql }: Deps,
  { person, role }: Operator,
  form: Form,
  { act, subject, accountId = null, details = {} }: NewAct,
  work: (reason: string) => Promise<Result>,
): Promise<number> {
  const reason = form.get('reason').replace(/\s+/g, ' ')
  if (!Value.Check(Why, reason))
    throw new Failure<Reason>('invalid_request', { message: 'Say why, in 1 to 500 characters. Nothing was done.' })
  if (form.get('confirm') !== 'yes') throw new Failure<Reason>('invalid_request', { message: 'Tick that you mean it. Nothing was done.' })
  await takeOnce(sql, form.get('form'))
  const { id: personId, email, address } = person
  const id = await insertAct(sql, { personId, email, role, act, subject, accountId, reason, details, address })
  await endAct(sql, id, await work(reason))
  return id
}

/** The result of one question to one service. */
export const resultOf = <T>(told: Told<T>, done: (value: T, status: number) => string | Result): Result => {
  if (!told.ok) return { outcome: isUnknown(told) ? 'unknown' : 'refused', answer: wordsOf(told) }
  const result = done(told.value, told.status)
  return typeof result === 'string' ? { outcome: 'done', answer: result } : result
}
