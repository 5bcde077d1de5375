import type { Sql } from '@filmgate/kit/database/postgres'
import { Failure } from '@filmgate/kit/failure'
import type { Person } from '../../door/person'
import type { Reason } from '../../errors'
import { type Factors, findFactors } from './factor-repository'

type Deps = { sql: Sql; providerAsks: boolean }

/** An operator has a second factor, and this session was opened with it. `providerAsks`: the other provider asks for one at its sign-in. */
export async function requireSecondFactor({ sql, providerAsks }: Deps, { sessionId }: Person): Promise<void> {
  const factors = await findFactors(sql, sessionId)
  if (!factors || !isGuarded(factors, providerAsks)) throw new Failure<Reason>('second_factor_required')
  if (!isProven(factors, providerAsks)) throw new Failure<Reason>('confirm_first')
}

/** Nothing that one factor alone opens could set up the other. */
function isGuarded({ codesOn, hasPasskey, hasPassword, hasProvider }: Factors, providerAsks: boolean): boolean {
  if (codesOn) return true
  return !hasPassword && (hasProvider ? providerAsks : hasPasskey)
}

const isProven = ({ openedBy, codeGiven }: Factors, providerAsks: boolean): boolean =>
  codeGiven || openedBy === 'passkey' || (openedBy === 'oidc' && providerAsks)
