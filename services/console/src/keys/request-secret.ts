import { Failure } from '@filmgate/kit/failure'
import type { Reason } from '../errors'
import type { Actor, Gateway, GatewayRequest, GatewayResult } from '../gateway/gateway'

/** `former_until`: until when a rotation's previous secret works. */
export type CreatedKey = { key_id: string; api_key: string; former_until?: string }

const keyLostText =
  'Filmgate did not answer in time, so the outcome is unknown. Check the list of keys. If it has a key whose secret you have not seen, rotate or revoke that key.'

/** If the response is lost, so is the secret. The error then tells the person what to check. */
export async function requestSecret<T = CreatedKey>(
  gateway: Gateway,
  person: Actor,
  asked: GatewayRequest,
  lostText = keyLostText,
): Promise<GatewayResult<T>> {
  const answer = await gateway.request<T>(person, asked).catch(error => {
    throw error instanceof Failure && error.reason === 'service_unavailable' ? secretLost(error, lostText) : error
  })
  if (!answer.ok && answer.status >= 500) throw secretLost(new Error(`the gateway answered ${answer.status} ${answer.code}`), lostText)
  return answer
}

const secretLost = (cause: Error, message: string) => new Failure<Reason>('service_unavailable', { cause, message })
