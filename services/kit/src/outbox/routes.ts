import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { checkBody } from '../check-body'
import { Failure } from '../failure'
import { requireBearer } from '../require-bearer'
import { rfc3339 } from '../rfc3339'
import { type ResendDeps, resendPublished } from './resend'

export type OutboxRouteDeps = ResendDeps & { operatorToken: string }

/** Without control characters, which neither a log nor a terminal should hold. */
const words = Type.String({ minLength: 1, maxLength: 500, pattern: '^[^\\u0000-\\u001f\\u007f]*$' })
const time = Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d{1,3})?Z$' })
const Body = Type.Object(
  {
    topic: Type.Optional(words),
    since: time,
    until: Type.Optional(time),
    limit: Type.Integer({ minimum: 1, maximum: 1_000_000_000 }),
    dry_run: Type.Boolean(),
    reason: words,
    by: words,
  },
  { additionalProperties: false },
)

/** What operators do with an outbox; the same in every service that has one. */
export const outboxRoutes = ({ operatorToken, ...deps }: OutboxRouteDeps) =>
  new Elysia({ name: 'outbox', prefix: '/operator/outbox', normalize: false })
    .use(requireBearer(operatorToken, () => new Failure('operator_token_required')))
    .post(
      '/resend',
      async function postResend({ body }) {
        const { dry_run, since, until, ...asked } = checkBody(Body, body)
        return resendPublished(deps, {
          ...asked,
          since: moment(since),
          until: until === undefined ? undefined : moment(until),
          dryRun: dry_run,
        })
      },
      { parse: 'json' },
    )

function moment(text: string): Date {
  const at = rfc3339(text)
  if (!at) throw new Failure('invalid_request', { message: `There is no such time: ${text}` })
  return at
}
