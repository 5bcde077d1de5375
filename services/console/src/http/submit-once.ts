import type { Sql } from '@filmgate/kit/database/postgres'
import { Failure } from '@filmgate/kit/failure'
import { uuidv7 } from 'uuidv7'
import type { Reason } from '../errors'
import { insertSubmittedForm } from './form-repository'

const form = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

/** The hidden id of a form whose action must run only once. */
export const newFormId = (): string => uuidv7()

export const isFormId = (id: string): boolean => form.test(id)

/** Throws if this form was submitted before, by a double click or by Back and Reload. */
export async function submitOnce(sql: Sql, id: string): Promise<void> {
  if (!isFormId(id)) throw new Failure<Reason>('invalid_form')
  if (!(await insertSubmittedForm(sql, id))) throw new Failure<Reason>('form_taken')
}
