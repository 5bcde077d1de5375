import type { Static, TSchema } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { Failure } from '../failure'

const issuesMax = 20

/** A body of this schema, or the failure `invalid_request` that names what does not fit. */
export function checkBody<S extends TSchema>(schema: S, body: unknown): Static<S> {
  if (Value.Check(schema, body)) return body
  const issues = [...Value.Errors(schema, body)]
    .slice(0, issuesMax)
    .map(({ path, message }) => ({ path: path.slice(1).replaceAll('/', '.'), rule: 'schema', message }))
  throw new Failure('invalid_request', { details: { issues } })
}
