import type { Static, TSchema } from '@sinclair/typebox'
import type { Form } from '../../door/read-form'
import type { OperateDeps, Operator } from '../door/operator-of'
import type { Question } from '../services/services'
import { type NewAct, perform, type Result, resultOf } from './perform'

/** `made` is the gateway's answer, undefined where it refused or gave none: the act's page says which. */
export type Made<T> = { act: number; made: T | undefined }

/** Does an act that makes a secret. It is in the gateway's answer alone: no row and no log of the console has it. */
export async function performForSecret<S extends TSchema>(
  deps: OperateDeps,
  operator: Operator,
  form: Form,
  { question, done, ...act }: NewAct & { question: Question<S>; done(made: Static<S>): string },
): Promise<Made<Static<S>>> {
  let made: Static<S> | undefined
  const number = await perform(deps, operator, form, act, async () => {
    const told = await deps.services.ask(operator.person, 'gateway', question)
    if (told.ok) made = told.value
    return withUnseen(resultOf(told, done))
  })
  return { act: number, made }
}

/** An answer that is lost takes the secret with it. */
const withUnseen = (result: Result): Result =>
  result.outcome === 'unknown'
    ? { ...result, answer: `${result.answer} A key whose secret nobody has seen can be rotated or revoked.` }
    : result
