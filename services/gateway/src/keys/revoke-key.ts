import { Failure } from '@filmgate/kit/failure'
import type { Sql } from '@filmgate/kit/postgres'
import type { Reason } from '../errors'
import { insertAct } from '../operator/act-repository'
import { endKey } from './key-repository'

/** Ends a key: within 5 s it opens nothing any more, anywhere. */
export async function revokeKey({ sql }: { sql: Sql }, { keyId, operator }: { keyId: string; operator: string }): Promise<void> {
  await sql.begin(async sql => {
    const accountId = await endKey(sql, keyId)
    if (!accountId) throw new Failure<Reason>('key_not_found')
    await insertAct(sql, { operator, act: 'key_revoked', accountId, subject: keyId })
  })
}
