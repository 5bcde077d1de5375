import type { Sql } from '@filmgate/kit/database/postgres'
import { Failure } from '@filmgate/kit/failure'
import { insertAuditEntry } from '../audit-log/audit-repository'
import type { Reason } from '../errors'
import { newKey, newKeyId, storedSecret } from './api-key'
import type { KeyBindings } from './bindings/read-bindings'
import { countWorkingKeys, insertKey } from './key-repository'

const keysMax = 20

export type CreateKeyInput = Partial<KeyBindings> & { accountId: string; name: string; expiresAt: Date | null; operator: string }

/** Makes a key for an account and returns it whole; it can't be shown again. */
export async function createKey(
  { sql, pepper }: { sql: Sql; pepper: string },
  { operator, ...input }: CreateKeyInput,
): Promise<{ keyId: string; apiKey: string }> {
  const { accountId, name, expiresAt, models, addresses } = input
  const keyId = newKeyId()
  const apiKey = newKey(keyId)
  await sql.begin(async sql => {
    const account = await countWorkingKeys(sql, accountId)
    if (!account) throw new Failure<Reason>('account_not_found')
    if (account.closed) throw new Failure<Reason>('account_closed')
    if (account.working >= keysMax) throw new Failure<Reason>('too_many_keys')
    await insertKey(sql, { id: keyId, accountId, name, ...storedSecret(apiKey, pepper), expiresAt, models, addresses })
    await insertAuditEntry(sql, { operator, act: 'key_created', accountId, subject: keyId })
  })
  return { keyId, apiKey }
}
