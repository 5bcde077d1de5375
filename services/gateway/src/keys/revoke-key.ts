import type { Sql } from '@filmgate/kit/database/postgres'
import { Failure } from '@filmgate/kit/failure'
import { insertAuditEntry } from '../audit-log/audit-repository'
import type { Reason } from '../errors'
import { endKey, type NamedKey } from './key-repository'

/** Ends a key: within 5 s every replica refuses it. */
export async function revokeKey({ sql }: { sql: Sql }, { operator, ...named }: NamedKey & { operator: string }): Promise<void> {
  await sql.begin(async sql => {
    const accountId = await endKey(sql, named)
    if (!accountId) throw new Failure<Reason>('key_not_found')
    await insertAuditEntry(sql, { operator, act: 'key_revoked', accountId, subject: named.keyId })
  })
}
