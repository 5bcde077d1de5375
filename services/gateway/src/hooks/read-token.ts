import { isCodeOf, readCallbackToken } from '@filmgate/kit/callback-token'
import type { Sql } from '@filmgate/kit/database/postgres'
import type { Secrets } from '@filmgate/kit/environment/secrets'
import { counter } from '@filmgate/kit/telemetry/metrics'
import { readAlone } from '../database/batched-read'
import { findCodeRequiredFrom } from './token-repository'

/** The attempt that a provider calls back about; undefined where we made no such address. */
export type ReadToken = (provider: string, token: string) => Promise<string | undefined>

export type ReadTokenDeps = {
  /** The dispatcher's secret of attempts, and those accepted beside it. Undefined: every address is taken for ours. */
  secrets: Secrets | undefined
  sql: Sql
  now: () => Date
}

const readMsMax = 2_000
const unknown = counter('provider_callbacks_unknown', 'Callbacks at addresses that were not made with our secret')

/** Checks the code of a callback's address. Addresses without one, which a version before made, count until they have run out. */
export function createReadToken({ secrets, sql, now }: ReadTokenDeps): ReadToken {
  let requiredFrom: Date | undefined

  async function countsWithoutCode(): Promise<boolean> {
    requiredFrom ??= await readAlone(findCodeRequiredFrom(sql), readMsMax)
    return now() < requiredFrom
  }

  return async (provider, token) => {
    const parts = readCallbackToken(token)
    if (secrets === undefined) return parts?.attemptId ?? token
    if (parts && isCodeOf(secrets, { provider, attemptId: parts.attemptId }, parts.code)) return parts.attemptId
    if (!parts && (await countsWithoutCode())) return token
    unknown.add()
    return undefined
  }
}
