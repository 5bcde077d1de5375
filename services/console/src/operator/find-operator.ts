import type { Role } from '@filmgate/kit/environment/operator-environment'
import { roles } from '@filmgate/kit/environment/operator-environment'
import { Failure } from '@filmgate/kit/failure'
import type { Operator } from '@filmgate/kit/operator/operators'
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
    const body = (await answer.json().catch(() => undefined)) as
      | { name?: string | null; role?: Role; acts_for_others?: boolean }
      | undefined
    const role = roles.find(role => role === body?.role)
    if (!answer.ok || !role) throw new Failure<Reason>('service_unavailable')
    return { name: body?.name ?? undefined, role, actsForOthers: body?.acts_for_others === true }
  }
