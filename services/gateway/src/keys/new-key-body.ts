import { Failure } from '@filmgate/kit/failure'
import { words } from '@filmgate/kit/request/text'
import { rfc3339 } from '@filmgate/kit/rfc3339'
import { Type } from '@sinclair/typebox'
import type { Reason } from '../errors'
import { storable } from '../paging/read-query'
import { newBindings } from './bindings/read-bindings'

/** What a new key is made of, for operators and for the console. */
export const NewKeyBody = Type.Object(
  { name: words(200), expires_at: Type.Optional(Type.String({ maxLength: 40 })), ...newBindings },
  { additionalProperties: false },
)

/** When a new key is to end: a moment of RFC 3339 that is still to come. */
export function readExpiry(text: string, now: Date): Date {
  const at = rfc3339(text)
  if (!at || !storable(at)) throw refused('date-time', 'must be a moment of RFC 3339 such as 2027-01-31T08:30:00Z')
  if (at <= now) throw refused('future', 'must be in the future')
  return at
}

const refused = (rule: string, message: string) =>
  new Failure<Reason>('invalid_request', { details: { issues: [{ path: 'expires_at', rule, message: `expires_at ${message}` }] } })
