import { CancelledTask } from '@filmgate/proto/operator/task'
import { type Call, callFor, type Json } from '../operator-api'

export type Cancel = { taskId: string; reason: string; by: string }

/** Ends a task as its client could: before a submit at once, after it if its provider agrees. Returns what it came to. */
export const taskCancel = (call: Call, { taskId, reason, by }: Cancel): Promise<Json> =>
  callFor(call, CancelledTask, 'gateway', 'POST', `/tasks/${encodeURIComponent(taskId)}/cancel`, { reason, by })
