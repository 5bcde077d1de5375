import { type Static, Type } from '@sinclair/typebox'
import { number, text, textOrNull, time, timeOrNull } from './answer'

/** A period that is held against Stripe. */
export const ReconciliationRun = Type.Object({
  ...{ id: text, state: text, requested_by: textOrNull, from: time, to: time, dry_run: Type.Boolean(), livemode: Type.Boolean() },
  ...{ charges: number, refunds: number, disputes: number, missed: number, differences: number, fault: textOrNull },
  findings: Type.Array(Type.Object({ check: text, purchase_id: textOrNull, detail: text })),
  ...{ created_at: time, ended_at: timeOrNull },
})
export type ReconciliationRun = Static<typeof ReconciliationRun>
