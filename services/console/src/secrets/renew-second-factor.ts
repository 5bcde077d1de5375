import type { Sql } from '@filmgate/kit/database/postgres'
import type { Secrets } from '@filmgate/kit/environment/secrets'
import { symmetricDecrypt, symmetricEncrypt } from 'better-auth/crypto'
import { findSealed, replaceSealed, type SealedSecondFactor } from './second-factor-repository'

type Deps = { sql: Sql; authSecrets: Secrets }

/** Puts the person's second factor under the first secret: better-auth opens it with that one alone, so this comes before each use. */
export async function prepareSecondFactor(deps: Deps, personId: string): Promise<void> {
  if (deps.authSecrets.length === 1) return
  const sealed = await findSealed(deps.sql, personId)
  if (sealed) await renewSecondFactor(deps, sealed)
}

/** What became of it: `lost` where no secret opens it. */
export async function renewSecondFactor({ sql, authSecrets }: Deps, sealed: SealedSecondFactor): Promise<'renewed' | 'kept' | 'lost'> {
  const [secret, backupCodes] = await Promise.all([sealed.secret, sealed.backupCodes].map(data => renew(authSecrets, data)))
  if (secret === undefined || backupCodes === undefined) return 'lost'
  if (secret === sealed.secret && backupCodes === sealed.backupCodes) return 'kept'
  await replaceSealed(sql, sealed, { secret, backupCodes })
  return 'renewed'
}

/** Under the first secret, unchanged where it was; undefined where none opens it. */
async function renew(secrets: Secrets, data: string): Promise<string | undefined> {
  for (const key of secrets) {
    const opened = await symmetricDecrypt({ key, data }).catch(() => undefined)
    if (opened !== undefined) return key === secrets[0] ? data : symmetricEncrypt({ key: secrets[0], data: opened })
  }
  return undefined
}
