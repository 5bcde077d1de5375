import type { MemberContext } from '../accounts/require-member'
import type { Gateway, GatewayResult } from '../gateway/gateway'
import { buildRequest, type RequestBody, type Values, withPlaceholders } from './form/build-request'
import type { Estimate } from './price'
import type { ModelSelection } from './select-model'

export type PlaygroundInput = ModelSelection & { values: Values }

/** The request of a form, and the gateway's estimate of it. */
export async function estimate(
  { gateway }: { gateway: Gateway },
  { person, member }: Pick<MemberContext, 'person' | 'member'>,
  { model, modeName, mode, values }: PlaygroundInput,
): Promise<{ body: RequestBody; answer: GatewayResult<Estimate> }> {
  const body = buildRequest(model.id, modeName, mode, values)
  const path = `/accounts/${member.accountId}/estimate`
  return { body, answer: await gateway.request<Estimate>(person, { method: 'POST', path, body: withPlaceholders(body, mode) }) }
}
