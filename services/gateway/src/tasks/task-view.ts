import { shownBilling, shownStatus, type Task } from './task'

/** The VideoTask of the contract, exactly: an extra field would be refused on the way out. */
export function taskView(task: Task) {
  const status = shownStatus(task)
  const { billing, creditsRefunded } = shownBilling(task)
  return {
    id: task.id,
    status,
    model: task.model,
    mode: task.mode,
    credits_used: task.creditsUsed,
    credits_refunded: creditsRefunded,
    output: status === 'completed' && task.videoUrl !== null ? { video_url: task.videoUrl } : null,
    error: status === 'failed' && task.errorCode !== null ? { code: task.errorCode, message: task.errorMessage ?? '' } : null,
    created_at: task.createdAt.toISOString(),
    updated_at: task.updatedAt.toISOString(),
    ...(billing !== null && { billing_status: billing }),
  }
}
