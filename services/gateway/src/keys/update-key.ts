import type { Sql } from '@filmgate/kit/database/postgres'
import { Failure } from '@filmgate/kit/failure'
import { insertAuditEntry } from '../audit-log/audit-repository'
import type { Reason } from '../errors'
import type { KeyBindings } from './bindings/read-bindings'
import { bindKey, lockWorkingKey, type NamedKey } from './key-repository'

/** Binds a key to other models or addresses: within 5 s every replica goes by them. What is left out stays. */
export async function updateKey(
  { sql }: { sql: Sql },
  { operator, changes, ...named }: NamedKey & { operator: string; changes: Partial<KeyBindings> },
): Promise<KeyBindings> {
  return sql.begin(async sql => {
    const key = await lockWorkingKey(sql, named)
    if (!key) throw new Failure<Reason>('key_not_found')
    const bindings = { models: key.models, addresses: key.addresses, ...changes }
    await bindKey(sql, key.id, bindings)
    await insertAuditEntry(sql, { operator, act: 'key_updated', accountId: key.accountId, subject: key.id })
    return bindings
  })
}
