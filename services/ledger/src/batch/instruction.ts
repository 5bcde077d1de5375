import type { Order } from '@filmgate/proto/gen/filmgate/v1/order_pb'
import type { CreditChange } from '../account/account'
import type { Release, Surface } from '../reservation/reservation'
import type { Heard } from '../reservation/states'

/** What one event asks of the books. */
export type Instruction = OpenAccount | ChangeCredits | ReportReuse | Reserve | Conclude | Retell | ReleaseTask

/** The trace of the event that asks. */
type Traced = { traceparent?: string | undefined }

export type OpenAccount = Traced & { kind: 'open_account'; accountId: string }
export type ChangeCredits = Traced & {
  kind: 'grant_credits' | 'debit_credits'
  accountId: string
  change: Omit<CreditChange, 'applied' | 'after' | 'decidedAtMs'>
}
export type ReportReuse = Traced & { kind: 'report_reuse'; accountId: string; changeId: string; asked: string; known: string }
export type Reserve = Traced & {
  kind: 'reserve'
  accountId: string
  taskId: string
  surface: Surface
  credits: number
  priceVersion: string
  admitByMs: number
  /** Travels on untouched. */
  order: Order
}
/** An operator has what was decided about a task told again. */
export type Retell = Traced & { kind: 'retell'; accountId: string; taskId: string }
/** An operator ends a request that no credits were reserved for. */
export type ReleaseTask = Traced & Release & { kind: 'release'; admitByMs: number }
export type Conclude = Traced & { kind: 'conclude'; accountId: string; taskId: string; heard: Heard }
