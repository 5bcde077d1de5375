import type { Sql } from '@filmgate/kit/database/postgres'
import { newSecret, type Vault } from '../secrets/vault'
import { updateSecret } from './endpoint-repository'

/** For so long both secrets sign. */
const overlapSeconds = 86_400

/** Undefined where the account has no such endpoint. */
export async function rotateSecret({ sql, vault }: { sql: Sql; vault: Vault }, { accountId, id }: { accountId: string; id: string }) {
  const secret = newSecret()
  const endpoint = await updateSecret(sql, { accountId, id, secret: await vault.seal(id, secret), overlapSeconds })
  return endpoint && { endpoint, secret }
}
