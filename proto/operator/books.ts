import { type Static, Type } from '@sinclair/typebox'
import { added, nullable, number, text, textOrNull, time, timeOrNull } from './answer'

/** `counts_until`: from then on a review doesn't count towards the unfinished tasks; null for what counts until it ends. */
export const Reservation = Type.Object({
  ...{ task_id: text, account_id: text, surface: text, state: text, price_version: text },
  ...{ credits: number, paid: number, starter: number, refunded: number },
  ...{ reserved_at: time, changed_at: time, ended_at: timeOrNull, counts_until: added(timeOrNull) },
})
export type Reservation = Static<typeof Reservation>

/** `owed`: what payments that went back left, repaid by the next paid grants. `unfinished`: the tasks that count towards the limit. */
export const Balances = Type.Object({
  ...{ account_id: text, available: number, starter: number, owed: added(number), unfinished: number },
  ...{ balance_version: number, opened_at: time },
})
export type Balances = Static<typeof Balances>
export const LedgerAccount = Type.Object({ account: Balances, open: Type.Array(Reservation) })
export type LedgerAccount = Static<typeof LedgerAccount>

export const Entry = Type.Object({ kind: text, book: text, account_id: textOrNull, credits: number, at: time })
export type Entry = Static<typeof Entry>

export const Declined = Type.Object({
  ...{ task_id: text, account_id: text, reason: text, required: number, available: number, declined_at: time },
})
export type Declined = Static<typeof Declined>

/** In the answer about one task the ids are left out. `acknowledgements`: those from before it came again. */
export const Contradiction = Type.Object({
  ...{ task_id: Type.Optional(text), account_id: Type.Optional(text) },
  ...{ verdict: text, state: textOrNull, detail: textOrNull, seen_at: time, times: number },
  ...{ acknowledged_at: timeOrNull, acknowledged_reason: textOrNull, acknowledged_by: textOrNull },
  acknowledgements: Type.Array(Type.Object({ at: time, reason: text, by: Type.Optional(textOrNull) })),
})
export type Contradiction = Static<typeof Contradiction>

/** A task that an operator ended. */
export const Release = Type.Object({ reason: text, by: textOrNull, released_at: time })
export type Release = Static<typeof Release>

export const LedgerTask = Type.Object({
  ...{ reservation: nullable(Reservation), declined: nullable(Declined), release: nullable(Release) },
  ...{ entries: Type.Array(Entry), contradictions: Type.Array(Contradiction) },
})
export type LedgerTask = Static<typeof LedgerTask>

/** Findings are empty where the books are in order. */
const audit = {
  scope: text,
  findings: Type.Array(Type.Object({ check: text, detail: text })),
  checked: Type.Object({ accounts: number, grants: number, reservations: number, entries: number }),
}
export const Audit = Type.Object(audit)
export type Audit = Static<typeof Audit>
export const AuditRun = Type.Object({ at: time, ...audit })
export type AuditRun = Static<typeof AuditRun>

export const Acknowledged = Type.Object({ acknowledged: number })
export type Acknowledged = Static<typeof Acknowledged>
