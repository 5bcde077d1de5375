import { createHmac } from 'node:crypto'
import type { Sql } from '@filmgate/kit/database/postgres'
import { Failure } from '@filmgate/kit/failure'
import { networkOf } from '@filmgate/kit/request/network-of'
import type { Log } from '@filmgate/kit/telemetry/log'
import { counter } from '@filmgate/kit/telemetry/metrics'
import type { Reason } from '../errors'
import { type Limit, takeTry } from '../limits/take-try'

const refusals = counter('sign_ins_refused', 'Sign-ins that were refused, by why', {
  reason: ['password', 'unverified', 'second_factor', 'passkey', 'too_many'],
})

type Deps = { sql: Sql; log: Log; authSecret: string }
/** `email`: whose account was tried, where that is known. */
type Tried = { email?: string; address: string }

/** So that who looks at the log sees what is tried (ASVS 7.2.1): an account as a keyed hash, the same each time; nothing that was typed. */
export function noteRefusal(
  { log, authSecret }: Omit<Deps, 'sql'>,
  { email, address, reason }: Tried & { reason: 'password' | 'unverified' | 'second_factor' | 'passkey' | 'too_many' },
): void {
  refusals.add(1, { reason })
  const account = email === undefined ? undefined : hashOf(authSecret, email)
  log.info({ account, network: networkOf(address), reason }, 'sign-in refused')
}

/** A try of a sign-in; one beyond the limit is noted too. */
export async function takeSignInTry(deps: Deps, limit: Limit, who: string, tried: Tried): Promise<void> {
  await takeTry(deps.sql, limit, who).catch((error: unknown) => {
    if (error instanceof Failure && (error as Failure<Reason>).reason === 'too_many') noteRefusal(deps, { ...tried, reason: 'too_many' })
    throw error
  })
}

const hashOf = (secret: string, email: string): string =>
  createHmac('sha256', secret).update(`refused:${email}`).digest('base64url').slice(0, 22)
