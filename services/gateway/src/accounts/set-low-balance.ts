import type { Sql } from '@filmgate/kit/database/postgres'
import { Failure } from '@filmgate/kit/failure'
import { Type } from '@sinclair/typebox'
import { insertAct } from '../acts/act-repository'
import type { Reason } from '../errors'
import { lockAccount, updateLowBalance } from './account-repository'

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
    const account = await lockAccount(sql, accountId)
    if (!account) throw new Failure<Reason>('account_not_found')
    if (account.closedAt) throw new Failure<Reason>('account_closed')
    await updateLowBalance(sql, accountId, credits)
    await insertAct(sql, { operator, act: 'low_balance_set', accountId, subject: credits === null ? null : String(credits) })
  }) as Promise<void>
