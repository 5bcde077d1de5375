import type { Resent } from '@filmgate/proto/operator/bus'
import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { Failure } from '../failure'
import { act } from '../operator/act'
import { operatorDoor } from '../operator/operator-door'
import { By, operatorName } from '../operator/operator-name'
import type { Operators } from '../operator/operators'
import { readJsonAs } from '../request/read-json'
import { words } from '../request/text'
import { rfc3339 } from '../rfc3339'
import { type ResendDeps, resendPublished } from './resend'

export type OutboxRouteDeps = ResendDeps & { operators: Operators }

const time = Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d{1,3})?Z$' })
const Body = Type.Object(
  {
    topic: Type.Optional(words(500)),
    since: time,
    until: Type.Optional(time),
    limit: Type.Integer({ minimum: 1, maximum: 1_000_000_000 }),
    dry_run: Type.Boolean(),
    reason: words(500),
    by: By,
  },
  { additionalProperties: false },
)

/** What operators do with an outbox; the same in every service that has one. */
export const outboxRoutes = ({ operators, ...deps }: OutboxRouteDeps) =>
  new Elysia({ name: 'outbox', prefix: '/operator/outbox', normalize: false }).use(operatorDoor(operators)).post(
    '/resend',
    async function postResend({ request }): Promise<Resent> {
      const { dry_run, since, until, by, ...asked } = await readJsonAs(Body, request)
      return resendPublished(deps, {
        ...asked,
        by: operatorName(request, by),
        since: moment(since),
        until: until === undefined ? undefined : moment(until),
        dryRun: dry_run,
      })
    },
    act('support', Body),
  )

function moment(text: string): Date {
  const at = rfc3339(text)
  if (!at) throw new Failure('invalid_request', { message: `There is no such time: ${text}` })
  return at
}
