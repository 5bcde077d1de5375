import { Failure } from '@filmgate/kit/failure'
import type { Reason } from '../errors'
import type { Actor, Gateway } from '../gateway/gateway'
import type { Models } from './model'

/** The current models of the gateway. */
export type FindModels = (actor: Actor) => Promise<Models>

/** Revalidates the cached models with the gateway by their ETag. */
export function createFindModels(gateway: Pick<Gateway, 'fetch'>): FindModels {
  let known: { etag: string; models: Models } | undefined
  return async actor => {
    const answer = await gateway.fetch(actor, { path: '/models', ...(known && { headers: { 'if-none-match': known.etag } }) })
    if (answer.status === 304 && known) return known.models
    if (!answer.ok) throw new Failure<Reason>('service_unavailable', { internal: `the gateway answered ${answer.status} to /models` })
    const models = (await answer.json()) as Models
    const etag = answer.headers.get('etag')
    known = etag === null ? undefined : { etag, models }
    return models
  }
}
