import type { Sql } from '@filmgate/kit/database/postgres'
import { Failure } from '@filmgate/kit/failure'
import { insertAct } from '../acts/act-repository'
import type { Reason } from '../errors'
import { endKey } from './key-repository'

/** Ends a key: within 5 s every replica refuses it. */
export async function revokeKey({ sql }: { sql: Sql }, { keyId, operator }: { keyId: string; operator: string }): Promise<void> {
  await sql.begin(async sql => {
    const accountId = await endKey(sql, keyId)
    if (!accountId) throw new Failure<Reason>('key_not_found')
    await insertAct(sql, { operator, act: 'key_revoked', accountId, subject: keyId })
  })
}
