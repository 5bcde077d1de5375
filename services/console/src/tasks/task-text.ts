import type { TaskView } from '../gateway/gateway'
import { credits, number } from '../layout/numbers'

export const statusLabels: Record<TaskView['status'], string> = { processing: 'Running', completed: 'Done', failed: 'Failed' }
export const surfaceLabels: Record<TaskView['surface'], string> = { web: 'Console', api: 'API' }

const phaseTexts: Record<string, string> = {
  admitting: 'The request is being checked',
  accepted: 'The video is being made',
  copying: 'The video is being stored',
  completed: 'The credits are being booked',
  uncertain: 'The outcome is being checked',
}

/** The current phase of a running task. */
export const phaseText = ({ phase }: Pick<TaskView, 'phase'>): string => phaseTexts[phase] ?? 'The video is being made'

/** The price of a task, and what happened to the credits. */
export function priceText(task: TaskView): string {
  const { credits_used: used, credits_refunded: refunded, billing_status: billing, status, shortfalls } = task
  if (billing === 'refund_pending') return `${credits(used)}, being refunded`
  if (refunded > 0 && billing === 'settled') return chargedInPart(used, refunded, shortfalls)
  if (refunded > 0) return refunded === used ? `${credits(used)}, refunded` : `${credits(used)}, of which ${credits(refunded)} refunded`
  if (billing === 'review') return `${credits(used)}, reserved until the outcome is known`
  return status === 'processing' ? `${credits(used)}, reserved` : credits(used)
}

const shortfallText: Record<string, string> = {
  duration: 'the video is shorter than ordered',
  resolution: 'its resolution is lower than ordered',
  audio: 'it has no sound',
}

/** `Charged 36 of 60 credits: less was delivered (the video is shorter than ordered)`. */
function chargedInPart(used: number, refunded: number, shortfalls: string[] = []): string {
  const why = shortfalls.flatMap(one => shortfallText[one] ?? [])
  return `Charged ${number(used - refunded)} of ${credits(used)}: less was delivered${why.length > 0 ? ` (${why.join(', ')})` : ''}`
}

const titleCharactersMax = 90

/** A task's title is its prompt. Old tasks, and API tasks from before prompts were stored, use their id. */
export function titleOf({ id, prompt }: Pick<TaskView, 'id' | 'prompt'>): string {
  const characters = [...(prompt ?? '').trim()]
  if (characters.length === 0) return id
  if (characters.length <= titleCharactersMax) return characters.join('')
  const cut = characters.slice(0, titleCharactersMax).join('')
  // Cut between words, unless the last word is very long.
  const gap = cut.lastIndexOf(' ')
  return `${(gap > titleCharactersMax / 2 ? cut.slice(0, gap) : cut).replace(/[\s.,;:]+$/, '')}…`
}
