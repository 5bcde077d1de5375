import type { Sql } from '@filmgate/kit/database/postgres'
import { Failure } from '@filmgate/kit/failure'
import type { Reason } from '../../errors'
import type { Person } from '../../http/person'
import { type Factors, findFactors } from './factor-repository'

type Deps = { sql: Sql; oidcHasSecondFactor: boolean }

/**
 * Requires that the operator has a second factor and that this session was opened with it. `oidcHasSecondFactor`: the
 * OIDC provider asks for one at sign-in.
 */
export async function requireSecondFactor({ sql, oidcHasSecondFactor }: Deps, { sessionId }: Person): Promise<void> {
  const factors = await findFactors(sql, sessionId)
  if (!factors || !hasSecondFactor(factors, oidcHasSecondFactor)) throw new Failure<Reason>('second_factor_required')
  if (!openedWithSecondFactor(factors, oidcHasSecondFactor)) throw new Failure<Reason>('confirm_first')
}

/** True if no single factor is enough to sign in and set up the other one. */
function hasSecondFactor({ codesOn, hasPasskey, hasPassword, hasProvider }: Factors, oidcHasSecondFactor: boolean): boolean {
  if (codesOn) return true
  return !hasPassword && (hasProvider ? oidcHasSecondFactor : hasPasskey)
}

const openedWithSecondFactor = ({ openedBy, codeGiven }: Factors, oidcHasSecondFactor: boolean): boolean =>
  codeGiven || openedBy === 'passkey' || (openedBy === 'oidc' && oidcHasSecondFactor)
