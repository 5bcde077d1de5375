import { type Static, Type } from '@sinclair/typebox'
import { number, numberOrNull, text, textOrNull, time, timeOrNull } from './answer'

/** What the cross-audit compares: the same fact as two services have it. `changed_at`: when its row last changed. */
const task = { task_id: text, account_id: text, changed_at: time }

/** The gateway's view of a task. `deleted`: its client has deleted its video, with its file. */
export const TaskFact = Type.Object({
  ...task,
  ...{ phase: text, billing_status: textOrNull, credits_used: number, credits_refunded: number, deleted: Type.Boolean() },
})
export type TaskFact = Static<typeof TaskFact>

/** The ledger's reservation of a task. */
export const ReservationFact = Type.Object({ ...task, state: text, credits: number, refunded: number })
export type ReservationFact = Static<typeof ReservationFact>

/** `starter_version`: the gateway's, of starter credits and debt; null where it never heard of any. The ledger's is one with `balance_version`. */
export const BalanceFact = Type.Object({
  ...{ account_id: text, available: number, starter: number, owed: number },
  ...{ balance_version: number, starter_version: numberOrNull, changed_at: timeOrNull },
})
export type BalanceFact = Static<typeof BalanceFact>

/** A grant or a debit. `state`: `pending` while the gateway waits for the ledger, else `applied` or `declined`. */
export const ChangeFact = Type.Object({
  ...{ id: text, account_id: text, kind: text, balance: text, credits: number, state: text, created_at: time, changed_at: time },
})
export type ChangeFact = Static<typeof ChangeFact>

/** The last attempt of a task. */
export const AttemptFact = Type.Object({ ...task, state: text })
export type AttemptFact = Static<typeof AttemptFact>

/** The output of a completed attempt. `stored_bytes`: what the store has; null where it has no such object. */
export const OutputFact = Type.Object({ task_id: text, key: text, bytes: numberOrNull, stored_bytes: numberOrNull })
export type OutputFact = Static<typeof OutputFact>
