import type { Order } from '@filmgate/proto/gen/filmgate/v1/order_pb'
import type { CreditChange } from './account'
import type { Budget, Subject } from './budget'
import type { Release, Surface } from './reservation'
import type { Cause } from './reservation-states'

/** What one event asks of the books. */
export type Instruction = OpenAccount | SetLimits | ChangeCredits | ReportReuse | SetBudget | RaiseVersion | TaskInstruction
export type TaskInstruction = Reserve | Conclude | Replay | ReleaseTask

/** The trace of the event. */
type Traced = { traceparent?: string | undefined }

export type OpenAccount = Traced & { kind: 'open_account'; accountId: string }
/** An operator set or took back the account's own limits. */
export type SetLimits = Traced & { kind: 'set_limits'; accountId: string; unfinishedMax: number | null; version: number }
export type ChangeCredits = Traced & {
  kind: 'grant_credits' | 'debit_credits'
  accountId: string
  change: Omit<CreditChange, 'applied' | 'owed' | 'after' | 'decidedAtMs'>
}
/** The gateway refused a grant or a debit, because its id was known with other terms. */
export type ReportReuse = Traced & { kind: 'report_reuse'; accountId: string; changeId: string; asked: string; known: string }
/** `timeZone`: the account's from then on. */
export type SetBudget = Traced & { kind: 'set_budget'; accountId: string; budget: Budget; timeZone: string }
/** The books were restored: what they say from now on is newer than what they said of the account before. `subjects`: its budgets'. */
export type RaiseVersion = Traced & { kind: 'raise_version'; accountId: string; subjects: Subject[] }
export type Reserve = Traced & {
  kind: 'reserve'
  accountId: string
  taskId: string
  surface: Surface
  /** Of the API's; null otherwise. */
  keyId: string | null
  /** The person of the console; null otherwise. */
  memberId: string | null
  credits: number
  priceVersion: string
  admitByMs: number
  /** Published unchanged in CreditsReserved. */
  order: Order
  /** GenerationRequested without what an ended task needs no longer, as bytes; kept for a gateway that loses the task. */
  request?: Uint8Array | undefined
  /** The ledger has held these credits before, and lost that with a restore. */
  held?: { starter: number; ended: boolean } | undefined
}
/** An operator wants what was decided about a task published again. */
export type Replay = Traced & { kind: 'replay'; accountId: string; taskId: string }
/** An operator ends a request that no credits were reserved for. */
export type ReleaseTask = Traced & Release & { kind: 'release'; admitByMs: number }
/** What becomes of a task's reservation, and why. */
export type Conclude = Traced & {
  kind: 'conclude'
  accountId: string
  taskId: string
  cause: Cause
  /** Of a completion, the price of what was delivered; left out, it is the whole reservation. */
  dueCredits?: number | undefined
  /** Of a completion, who made it; left out by a dispatcher of an older version. */
  provider?: string | undefined
  /** Of a refusal or a failure, when it was decided. */
  verdictAtMs?: number | undefined
  /** Of uncertainty, until when its generation may be running. */
  mayRunUntilMs?: number | undefined
}
