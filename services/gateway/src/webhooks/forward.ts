import { readJsonAs } from '@filmgate/kit/request/read-json'
import type { TSchema } from '@sinclair/typebox'
import { oneOf, pageSize, readQuery, words } from '../paging/read-query'
import { deliveryStatuses } from './bodies'
import { type CallWebhooks, noSuchEndpoint } from './call-webhooks'

export type ForwardDeps = { callWebhooks: CallWebhooks }
type Answering = { status?: number | string }
export type Forwarded = {
  accountId: string
  request: Request
  set: Answering
  /** Of an endpoint; without one the list is meant. */
  endpointId?: string
  /** Below the endpoint. */
  part?: string
  /** What the body must be. */
  schema?: TSchema
}

const idForm = /^[A-Za-z0-9_-]{1,120}$/

/** Asks the webhooks service for an account, and answers as it does. The account is the caller's, whatever the request says. */
export async function forward({ callWebhooks }: ForwardDeps, { accountId, request, set, endpointId, part, schema }: Forwarded) {
  if (endpointId !== undefined && !idForm.test(endpointId)) throw noSuchEndpoint()
  const body = schema && (await readJsonAs(schema, request))
  const path = ['', 'accounts', accountId, 'endpoints', endpointId, part].filter(each => each !== undefined).join('/')
  const answer = await callWebhooks({ method: request.method, path, ...(schema && { body }) })
  set.status = answer.status
  return answer.body
}

const limitDefault = 20
const limitMax = 100

/** The part of the path for a page of deliveries. */
export function deliveriesPart(requestUrl: string): string {
  const { status, cursor, limit } = readQuery(requestUrl, {
    status: oneOf(deliveryStatuses),
    cursor: words(200),
    limit: pageSize(limitDefault, limitMax),
  })
  return `deliveries?${new URLSearchParams({ ...(status && { status }), ...(cursor && { cursor }), limit: String(limit) })}`
}
