import type { TaskEvent, VideoTask } from '../generated.ts'

/**
 * How far a video is.
 * - `queued`: credits are held. `generating`: a provider makes it. `copying`: it is copied to managed storage.
 * - `review`: whether there will be a video is not known yet; credits stay held until it is.
 * - `settled`: it is there and paid. `failed`: there is none, and the credits come back.
 */
export type Phase = 'queued' | 'generating' | 'copying' | 'review' | 'settled' | 'failed'

export type Progress = {
  phase: Phase
  /** How far the provider is, where it tells it. */
  percent?: number | undefined
  /** The place in the provider's queue, where it tells it. */
  position?: number | undefined
  /** The task as it was last read: it may be a step behind the phase. */
  task: VideoTask
}

const phaseOfEvent: { [type: string]: Phase } = {
  queued: 'queued',
  accepted: 'generating',
  running: 'generating',
  copying: 'copying',
  in_review: 'review',
}

const phaseOfEnd = { completed: 'settled', failed: 'failed', processing: undefined } as const

/** Tells progress that differs from what was told before. */
export function progressTeller(onProgress: ((progress: Progress) => unknown) | undefined) {
  let told = ''
  let last: Omit<Progress, 'task'> = { phase: 'generating' }
  const tell = async (next: Omit<Progress, 'task'>, task: VideoTask) => {
    last = next
    const text = JSON.stringify([next, task.status, task.billing_status])
    if (text === told) return
    told = text
    await onProgress?.({ ...next, task })
  }
  return {
    async event({ type, percent, position }: TaskEvent, task: VideoTask): Promise<void> {
      const phase = phaseOfEvent[type]
      if (phase) await tell({ phase, ...(percent !== undefined && { percent }), ...(position !== undefined && { position }) }, task)
    },
    async task(task: VideoTask): Promise<void> {
      const ended = phaseOfEnd[task.status]
      if (ended) return tell({ phase: ended }, task)
      if (task.billing_status === 'review') return tell({ phase: 'review' }, task)
      await tell(last.phase === 'review' ? { phase: 'generating' } : last, task)
    },
  }
}
