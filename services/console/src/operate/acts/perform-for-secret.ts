import type { Form } from '../../door/read-form'
import type { OperateDeps, Operator } from '../door/operator-of'
import type { Question } from '../services/services'
import { type NewAct, perform, type Result, resultOf } from './perform'

/** What the gateway answers where it has made a secret. */
export type MadeSecret = { account_id?: string; key_id?: string; api_key: string }

/** `made` is undefined where the gateway refused or gave no answer: the act's page says which. */
export type Made = { act: number; made: MadeSecret | undefined }

/** Does an act that makes a secret. It is in the gateway's answer alone: no row and no log of the console has it. */
export async function performForSecret(
  deps: OperateDeps,
  operator: Operator,
  form: Form,
  { question, done, ...act }: NewAct & { question: Question; done(made: MadeSecret): string },
): Promise<Made> {
  let made: MadeSecret | undefined
  const number = await perform(deps, operator, form, act, async () => {
    const told = await deps.services.ask<MadeSecret>(operator.person, 'gateway', question)
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
