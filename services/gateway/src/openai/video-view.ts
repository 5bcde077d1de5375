import { shownStatus, stepsDone } from '../tasks/task'
import { sizeOf } from './request/sizes'
import type { VideoTask } from './video-repository'

/** A task as OpenAI's video, with what it cost. */
export function videoView(task: VideoTask) {
  const status = shownStatus(task)
  const isCompleted = status === 'completed'
  return {
    id: task.id,
    object: 'video' as const,
    status: status === 'processing' ? ((stepsDone[task.phase] ?? 0) > 0 ? 'in_progress' : 'queued') : status,
    progress: isCompleted ? 100 : Math.round((stepsDone[task.phase] ?? 0) * 100),
    model: task.model,
    prompt: task.prompt,
    seconds: String(task.billedSeconds),
    size: sizeShown(task),
    created_at: seconds(task.createdAt),
    completed_at: isCompleted ? seconds(task.updatedAt) : null,
    expires_at: null,
    remixed_from_video_id: null,
    error: status === 'failed' && task.errorCode !== null ? { code: task.errorCode, message: task.errorMessage ?? '' } : null,
    credits_used: task.creditsUsed,
    credits_refunded: status === 'processing' ? 0 : task.creditsRefunded,
  }
}

/** What came, where it was measured; else what was asked for; null where that follows an input. */
function sizeShown({ delivery, resolution, aspectRatio }: VideoTask): string | null {
  if (delivery) return `${delivery.width}x${delivery.height}`
  return sizeOf({ resolution, ...(aspectRatio !== null && { aspect_ratio: aspectRatio }) }) ?? null
}

const seconds = (at: Date): number => Math.floor(at.getTime() / 1_000)

/** A page as OpenAI's lists are; `rows` may hold one more than `size`. */
export function videoList(rows: VideoTask[], size: number) {
  const data = rows.slice(0, size).map(videoView)
  return {
    object: 'list' as const,
    data,
    first_id: data.at(0)?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
    has_more: rows.length > size,
  }
}
