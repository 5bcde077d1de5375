import type { Role } from '@filmgate/kit/environment/operator-environment'
import { roles } from '@filmgate/kit/environment/operator-environment'
import { Failure } from '@filmgate/kit/failure'
import type { Operator } from '@filmgate/kit/operator/operators'
import type { Reason } from '../errors'

/** Whose token it is; undefined where it is nobody's. Throws `service_unavailable` where that can't be known now. */
export type FindOperator = (token: string) => Promise<Operator | undefined>

const timeoutMs = 5_000

/** The gateway knows the operators' tokens, so the console keeps none of its own: it asks by the token itself. */
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
    const told = (await answer.json().catch(() => undefined)) as
      | { name?: string | null; role?: Role; acts_for_others?: boolean }
      | undefined
    const role = roles.find(role => role === told?.role)
    if (!answer.ok || !role) throw new Failure<Reason>('service_unavailable')
    return { name: told?.name ?? undefined, role, actsForOthers: told?.acts_for_others === true }
  }
