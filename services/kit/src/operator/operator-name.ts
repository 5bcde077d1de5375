import { Type } from '@sinclair/typebox'
import { Failure } from '../failure'
import type { requestReasons } from '../request/reasons'
import { headerText, words } from '../request/text'
import { holderOf } from './holder'

export const operatorHeader = 'x-filmgate-operator'

/** The name of who does this, as a body says it. */
export const By = Type.Optional(words(200))

/** What a row, a log and a terminal can show. */
const nameForm = /^[^\p{Cc}\p{Cs}]{1,200}$/u

/**
 * Who does this; every action is kept with this name. It is that of the token. With the shared token, or one that acts for others, it is what
 * X-Filmgate-Operator says, percent-encoded where it isn't ASCII, or the body as `by`; where both say it, alike.
 */
export function operatorName(request: Request, by?: string): string {
  const holder = holderOf(request)
  const header = request.headers.get(operatorHeader)
  const named = header === null ? undefined : decoded(header)
  if (by !== undefined) refuseAnother(holder, by)
  const name = by ?? named ?? (header === null ? holder?.name : undefined) ?? ''
  if (nameForm.test(name) && (header === null || named === name)) return name
  const message = 'send the name of who does this as X-Filmgate-Operator, or in the body as `by`: 1 to 200 characters, none of control'
  throw new Failure('invalid_request', { details: { issues: [{ path: 'by', rule: 'required', message }] } })
}

/** A token with a name speaks for nobody else (403), whatever is asked. */
export function refuseOtherName(request: Request): void {
  const header = request.headers.get(operatorHeader)
  if (header !== null) refuseAnother(holderOf(request), decoded(header))
}

function refuseAnother(holder: ReturnType<typeof holderOf>, name: string | undefined): void {
  if (!holder || holder.actsForOthers || holder.name === name) return
  throw new Failure<keyof typeof requestReasons>('operator_mismatch', { details: { operator: holder.name } })
}

function decoded(header: string): string | undefined {
  try {
    return decodeURIComponent(headerText(header))
  } catch {
    return undefined
  }
}
