import type { Sql } from '@filmgate/kit/database/postgres'
import { Type } from '@sinclair/typebox'
import { insertAuditEntry } from '../audit-log/audit-repository'
import { updateLowBalance } from './account-repository'
import { lockOpenAccount } from './lock-open-account'

/** `credits`: clients hear of a paid balance below it; null: never. */
export const LowBalanceBody = Type.Object(
  { credits: Type.Union([Type.Integer({ minimum: 1, maximum: 1_000_000_000_000 }), Type.Null()]) },
  { additionalProperties: false },
)

/** A balance that is below it already is told of at once, unless it was below the threshold before. */
export const setLowBalance = (
  { sql }: { sql: Sql },
  { accountId, credits, operator }: { accountId: string; credits: number | null; operator: string },
): Promise<void> =>
  sql.begin(async sql => {
    await lockOpenAccount(sql, accountId)
    await updateLowBalance(sql, accountId, credits)
    await insertAuditEntry(sql, { operator, act: 'low_balance_set', accountId, subject: credits === null ? null : String(credits) })
  }) as Promise<void>
