import { createHmac } from 'node:crypto'
import type { Sql } from '@filmgate/kit/database/postgres'
import type { Secrets } from '@filmgate/kit/environment/secrets'
import { Failure } from '@filmgate/kit/failure'
import { networkOf } from '@filmgate/kit/request/network-of'
import type { Log } from '@filmgate/kit/telemetry/log'
import { counter } from '@filmgate/kit/telemetry/metrics'
import type { Reason } from '../errors'
import { enforceLimit, type Limit } from '../limits/enforce-limit'

const refusals = counter('sign_ins_refused', 'Refused sign-ins by reason', {
  reason: ['password', 'unverified', 'second_factor', 'passkey', 'too_many'],
})

type Deps = { sql: Sql; log: Log; authSecrets: Secrets }
/** `email`: the account that was tried, if known. */
type SignInAttempt = { email?: string; address: string }

/**
 * Logs rejected sign-ins for monitoring (ASVS 7.2.1). The account is a keyed hash; nothing that was typed is logged.
 */
export function recordRefusedSignIn(
  { log, authSecrets }: Omit<Deps, 'sql'>,
  { email, address, reason }: SignInAttempt & { reason: 'password' | 'unverified' | 'second_factor' | 'passkey' | 'too_many' },
): void {
  refusals.add(1, { reason })
  const account = email === undefined ? undefined : hashEmail(authSecrets[0], email)
  log.info({ account, network: networkOf(address), reason }, 'sign-in refused')
}

/** Enforces a limit on sign-in attempts and logs an attempt beyond it. */
export async function enforceSignInLimit(
  deps: Deps,
  limit: Limit,
  who: string,
  attempt: SignInAttempt,
  reason: 'too_many' | 'sign_in_locked' = 'too_many',
): Promise<void> {
  await enforceLimit(deps.sql, limit, who).catch((error: unknown) => {
    if (!(error instanceof Failure) || (error as Failure<Reason>).reason !== 'too_many') throw error
    recordRefusedSignIn(deps, { ...attempt, reason: 'too_many' })
    throw new Failure<Reason>(reason, error.options)
  })
}

const hashEmail = (secret: string, email: string): string =>
  createHmac('sha256', secret).update(`refused:${email}`).digest('base64url').slice(0, 22)
