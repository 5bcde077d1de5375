import { type Static, Type } from '@sinclair/typebox'
import { added, nullable, number, numberOrNull, text, textOrNull, time, timeOrNull } from './answer'

/** The balances are a copy, as the ledger's last event had them. `low_balance_credits`: clients hear of a paid balance below it. The limits are null where the services' settings hold. */
export const AccountRow = Type.Object({
  ...{ account_id: text, name: text, available: number, starter: number, created_at: time },
  ...{ low_balance_credits: added(numberOrNull), requests_a_minute: added(numberOrNull), unfinished_tasks_max: added(numberOrNull) },
})
export type AccountRow = Static<typeof AccountRow>

/** `prefix`: how the key begins. `models` and `addresses`: what it is bound to, if it is. `createdBy` is null where nobody was named when it was made. */
export const KeyRow = Type.Object({
  ...{ id: text, prefix: text, name: text, createdAt: time, createdBy: added(textOrNull) },
  ...{ expiresAt: timeOrNull, revokedAt: timeOrNull, lastUsedAt: timeOrNull, rotatedAt: added(timeOrNull) },
  ...{ models: added(nullable(Type.Array(text))), addresses: added(nullable(Type.Array(text))) },
})
export type KeyRow = Static<typeof KeyRow>

/** A key with its account. */
export const OwnedKey = Type.Object({ ...KeyRow.properties, account_id: text })
export type OwnedKey = Static<typeof OwnedKey>

const changeTerms = {
  ...{ id: text, account_id: text, kind: Type.Union([Type.Literal('grant'), Type.Literal('debit')]), balance: text },
  ...{ credits: number, reason: text, operator: textOrNull, asked_at: time },
}
export const ChangeRow = Type.Object({
  ...changeTerms,
  state: Type.Union([Type.Literal('pending'), Type.Literal('applied'), Type.Literal('declined')]),
  ...{ refusal: textOrNull, available: numberOrNull, starter: numberOrNull, owed: added(numberOrNull), decided_at: timeOrNull },
})
export type ChangeRow = Static<typeof ChangeRow>

/** A change above what one operator may move, until another approves it. */
export const AwaitedChange = Type.Object({ ...changeTerms, state: Type.Literal('awaiting_second') })
export type AwaitedChange = Static<typeof AwaitedChange>

/** What a request for a grant or a debit is answered with. */
export const ChangeResult = Type.Union([ChangeRow, AwaitedChange])
export type ChangeResult = Static<typeof ChangeResult>

/** What a changed threshold is answered with. */
export const LowBalance = Type.Object({ account_id: text, low_balance_credits: numberOrNull })
export type LowBalance = Static<typeof LowBalance>

/** What changed limits are answered with; null: the service's setting holds. */
export const AccountLimits = Type.Object({ account_id: text, requests_a_minute: numberOrNull, unfinished_tasks_max: numberOrNull })
export type AccountLimits = Static<typeof AccountLimits>

export const ActRow = Type.Object({ at: time, act: text, subject: textOrNull, by: text, reason: Type.Optional(text) })
export type ActRow = Static<typeof ActRow>

/** A request with an API key that changed something or was refused. `refusal`: the body of its answer, where it was refused. */
export const RequestRow = Type.Object({
  ...{ account_id: text, key_id: text, created_at: time, method: text, path: text, status: number, code: textOrNull },
  ...{ duration_ms: number, request_id: text, task_id: textOrNull, refusal: Type.Unknown() },
})
export type RequestRow = Static<typeof RequestRow>

export const GatewayAccount = Type.Object({
  ...{ account: AccountRow, keys: Type.Array(KeyRow), credit_changes: Type.Array(ChangeRow), acts: Type.Array(ActRow) },
})
export type GatewayAccount = Static<typeof GatewayAccount>

/** The secret is in these answers alone. */
export const NewAccount = Type.Object({ account_id: text, api_key: text })
export type NewAccount = Static<typeof NewAccount>
export const NewKey = Type.Object({ key_id: text, api_key: text })
export type NewKey = Static<typeof NewKey>

/** What a key is bound to from now on; null: to none in particular. */
export const BoundKey = Type.Object({ key_id: text, models: nullable(Type.Array(text)), addresses: nullable(Type.Array(text)) })
export type BoundKey = Static<typeof BoundKey>

export const RevokedKey = Type.Object({ key_id: text, revoked: Type.Boolean() })
export type RevokedKey = Static<typeof RevokedKey>
