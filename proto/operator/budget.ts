import { type Static, Type } from '@sinclair/typebox'
import { number, text, time, timeOrNull } from './answer'

export const BudgetScope = Type.Union([Type.Literal('key'), Type.Literal('member'), Type.Literal('account')])
export const BudgetPeriod = Type.Union([Type.Literal('total'), Type.Literal('day'), Type.Literal('month')])

/** `spent_credits` and `left_credits` are a copy, as the ledger's last event had them. `resets_at` of a total is null. */
export const BudgetCap = Type.Object({
  ...{ period: BudgetPeriod, max_credits: number, spent_credits: number, left_credits: number, resets_at: timeOrNull },
})
export type BudgetCap = Static<typeof BudgetCap>

/** `id`: of the key, the member or the account. `applied`: whether the ledger has taken these caps. */
export const BudgetRow = Type.Object({
  ...{ budget: BudgetScope, id: text, caps: Type.Array(BudgetCap), applied: Type.Boolean(), set_by: text, set_at: time },
})
export type BudgetRow = Static<typeof BudgetRow>

export const Budgets = Type.Object({ time_zone: text, data: Type.Array(BudgetRow) })
export type Budgets = Static<typeof Budgets>
