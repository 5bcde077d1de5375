import { Failure } from '@filmgate/kit/failure'
import type { Reason } from '../errors'
import type { Actor, Answered, Asked, Gateway } from '../gateway/gateway'

/** `former_until`: a rotation's former secret works until then. */
export type MadeKey = { key_id: string; api_key: string; former_until?: string }

const unknown =
  'Filmgate did not answer in time, so it isn’t known whether this was done. Look at the list of keys: a key that is there without your having seen its secret can be revoked, or rotated for another secret.'

/** An answer that is lost takes the secret with it: whoever asked is told what to look at. */
export async function askForSecret(gateway: Gateway, person: Actor, asked: Asked): Promise<Answered<MadeKey>> {
  const answer = await gateway.ask<MadeKey>(person, asked).catch(error => {
    throw error instanceof Failure && error.reason === 'service_unavailable' ? lost(error) : error
  })
  if (!answer.ok && answer.status >= 500) throw lost(new Error(`the gateway answered ${answer.status} ${answer.code}`))
  return answer
}

const lost = (cause: Error) => new Failure<Reason>('service_unavailable', { cause, message: unknown })
