import { roles } from '@filmgate/kit/environment/operator-environment'
import { Failure } from '@filmgate/kit/failure'
import type { Operator } from '@filmgate/kit/operator/operators'
import { readAnswer } from '@filmgate/proto/operator/answer'
import { OperatorRow } from '@filmgate/proto/operator/operator'
import type { Reason } from '../errors'

/**
 * The operator of a token; undefined if the token is invalid. Throws `service_unavailable` if the gateway can't be
 * asked.
 */
export type FindOperator = (token: string) => Promise<Operator | undefined>

const timeoutMs = 5_000

/** The gateway knows the operators' tokens, so the console stores none. It sends the token to the gateway. */
export const createFindOperator =
  (gatewayUrl: string): FindOperator =>
  async token => {
    const answer = await fetch(`${gatewayUrl}/operator/me`, {
      headers: { authorization: `Bearer ${token}` },
      signal: AbortSignal.timeout(timeoutMs),
      redirect: 'error',
    }).catch(cause => {
      throw new Failure<Reason>('service_unavailable', { cause })
    })
    if (answer.status === 401) return undefined
    const read = readAnswer(OperatorRow, await answer.json().catch(() => undefined))
    const role = read.ok && roles.find(role => role === read.value.role)
    if (!answer.ok || !read.ok || !role) throw new Failure<Reason>('service_unavailable')
    return { name: read.value.name ?? undefined, role, actsForOthers: read.value.acts_for_others }
  }
