import type { FilmgateError } from '../error.ts'
import type {
  CreatedWebhookEndpoint,
  NewWebhookEndpoint,
  RotatedWebhookEndpoint,
  WebhookDelivery,
  WebhookDeliveryStatus,
  WebhookEndpoint,
  WebhookEndpointChange,
  WebhookEndpointList,
  WebhookReplay,
  WebhookReplayed,
} from '../generated.ts'
import { type Connection, segment } from '../http/connection.ts'
import { type CallOptions, limitOf } from '../http/limit.ts'
import { type Call, send } from '../http/send.ts'
import { callMs, type Paged, paged } from './paged.ts'

const root = '/webhook-endpoints'

/** The account's webhook endpoints. What makes something new is not sent again where its answer was lost. */
export const webhookEndpoints = (connection: Connection) => {
  const call = async <T>(call: Call, options: CallOptions = {}): Promise<T> =>
    (await send<T>(connection, call, limitOf(options, callMs))).body
  const at = (id: string, verb = '') => `${root}/${segment(id)}${verb}`
  const post = (path: string, body?: object): Call => ({
    method: 'POST',
    path,
    ...(body && { body: JSON.stringify(body) }),
    repeat: 'refused',
  })
  return {
    list: (options?: CallOptions) => call<WebhookEndpointList>({ path: root }, options),

    /** From now on events are posted to the URL. The answer has the secret that signs them, this once. */
    create: (endpoint: NewWebhookEndpoint, options?: CallOptions) => call<CreatedWebhookEndpoint>(post(root, endpoint), options),

    get: (id: string, options?: CallOptions) => call<WebhookEndpoint>({ path: at(id) }, options),

    /** What is left out stays as it is. */
    change: (id: string, change: WebhookEndpointChange, options?: CallOptions) =>
      call<WebhookEndpoint>({ method: 'PATCH', path: at(id), body: JSON.stringify(change) }, options),

    /** Nothing is sent to it any more, and what waits is not sent. */
    async delete(id: string, options: CallOptions = {}): Promise<void> {
      let retried = false
      const watched = {
        ...connection,
        onRetry: (retry: Parameters<NonNullable<Connection['onRetry']>>[0]) => {
          retried = true
          connection.onRetry?.(retry)
        },
      }
      await send(watched, { method: 'DELETE', path: at(id) }, limitOf(options, callMs)).catch((error: FilmgateError) => {
        // Deleted by the request before it, whose answer was lost.
        if (!retried || error.status !== 404) throw error
      })
    },

    /** A new secret, which only this answer has. For a day deliveries have a signature by each secret. */
    rotate: (id: string, options?: CallOptions) => call<RotatedWebhookEndpoint>(post(at(id, '/rotate')), options),

    /** Sends an event `webhook.test`, signed as any other. */
    test: (id: string, options?: CallOptions) => call<WebhookDelivery>(post(at(id, '/test')), options),

    /** Sends to a paused endpoint again. */
    resume: (id: string, options?: CallOptions) => call<WebhookEndpoint>({ method: 'POST', path: at(id, '/resume') }, options),

    /** What was sent to the endpoint in the last 30 days with every attempt, newest first. */
    deliveries: (
      id: string,
      options: CallOptions & { status?: WebhookDeliveryStatus | undefined; cursor?: string | undefined; limit?: number | undefined } = {},
    ): Paged<WebhookDelivery> => paged<WebhookDelivery>(connection, at(id, '/deliveries'), options),

    /** Sends one delivery again, or all of a span: they keep their ids. */
    replay: (id: string, replay: WebhookReplay, options?: CallOptions) => call<WebhookReplayed>(post(at(id, '/replay'), replay), options),
  }
}
