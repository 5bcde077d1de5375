import { Type } from '@sinclair/typebox'
import { Failure } from '../failure'
import { headerText, words } from '../request/text'

export const operatorHeader = 'x-filmgate-operator'

/** The name of who does this, as a body says it. */
export const By = Type.Optional(words(200))

/** What a row, a log and a terminal can show. */
const nameForm = /^[^\p{Cc}\p{Cs}]{1,200}$/u

/**
 * Who does this, as every act of an operator has to say: in X-Filmgate-Operator, percent-encoded where it isn't ASCII, or in the body as
 * `by`; where both say it, alike. Every act is kept with this name.
 */
export function operatorName(headers: Headers, by?: string): string {
  const header = headers.get(operatorHeader)
  const named = header === null ? undefined : decoded(header)
  const name = by ?? named ?? ''
  if (nameForm.test(name) && (header === null || named === name)) return name
  const message = 'send the name of who does this as X-Filmgate-Operator, or in the body as `by`: 1 to 200 characters, none of control'
  throw new Failure('invalid_request', { details: { issues: [{ path: 'by', rule: 'required', message }] } })
}

function decoded(header: string): string | undefined {
  try {
    return decodeURIComponent(headerText(header))
  } catch {
    return undefined
  }
}
