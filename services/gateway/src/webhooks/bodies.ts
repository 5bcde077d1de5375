import { words } from '@filmgate/kit/request/text'
import { Type } from '@sinclair/typebox'

/** What an endpoint can be told. */
export const eventTypes = ['task.completed', 'task.failed', 'task.in_review', 'balance.low'] as const
export const deliveryStatuses = ['pending', 'delivered', 'failed'] as const

const fields = {
  url: Type.String({ minLength: 1, maxLength: 2_048 }),
  events: Type.Optional(Type.Array(Type.Union(eventTypes.map(type => Type.Literal(type))), { minItems: 1, uniqueItems: true })),
  description: Type.Optional(words(200, 0)),
}
const closed = { additionalProperties: false }

export const NewEndpoint = Type.Object(fields, closed)
export const EndpointChange = Type.Object({ ...fields, url: Type.Optional(fields.url) }, closed)

const moment = Type.String({ minLength: 1, maxLength: 40 })
/** One delivery again, or all that were created in a span. */
export const Replay = Type.Object(
  {
    delivery_id: Type.Optional(Type.String({ pattern: '^[A-Za-z0-9_-]{1,120}$' })),
    from: Type.Optional(moment),
    to: Type.Optional(moment),
  },
  closed,
)
