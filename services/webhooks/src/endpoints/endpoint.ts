import { words } from '@filmgate/kit/request/text'
import { type Static, Type } from '@sinclair/typebox'

/** What an endpoint can ask to be told. */
export const eventTypes = ['task.completed', 'task.failed', 'task.in_review', 'balance.low'] as const
export type EventType = (typeof eventTypes)[number]

export const endpointsMax = 20

export type Endpoint = {
  id: string
  accountId: string
  url: string
  description: string
  events: EventType[]
  failingSince: Date | null
  pausedAt: Date | null
  pausedReason: string | null
  resumedAt: Date | null
  resumedBy: string | null
  createdAt: Date
  updatedAt: Date
}

const fields = {
  url: Type.String({ minLength: 1, maxLength: 2048 }),
  events: Type.Array(Type.Union(eventTypes.map(type => Type.Literal(type))), { minItems: 1, uniqueItems: true }),
  description: words(200, 0),
}

export const NewEndpoint = Type.Object(
  { ...fields, events: Type.Optional(fields.events), description: Type.Optional(fields.description) },
  { additionalProperties: false },
)
export type NewEndpoint = Static<typeof NewEndpoint>

export const EndpointChange = Type.Partial(Type.Object(fields, { additionalProperties: false }))
export type EndpointChange = Static<typeof EndpointChange>

/** As its account sees it. */
export const endpointView = (endpoint: Endpoint) => ({
  id: endpoint.id,
  url: endpoint.url,
  description: endpoint.description,
  events: endpoint.events,
  status: endpoint.pausedAt ? ('paused' as const) : ('active' as const),
  paused_reason: endpoint.pausedReason,
  created_at: endpoint.createdAt.toISOString(),
  updated_at: endpoint.updatedAt.toISOString(),
})
export type EndpointView = ReturnType<typeof endpointView>
