import type { TaskView } from '../gateway/gateway'
import { credits, number } from '../layout/numbers'

export const statusWords: Record<TaskView['status'], string> = { processing: 'Running', completed: 'Done', failed: 'Failed' }
export const surfaceWords: Record<TaskView['surface'], string> = { web: 'Console', api: 'API' }

const phases: Record<string, string> = {
  admitting: 'The request is being checked',
  accepted: 'The video is being made',
  copying: 'The video is being stored',
  completed: 'The credits are being booked',
  uncertain: 'What became of it is being looked into',
}

/** What happens to a running task now. */
export const phaseWords = ({ phase }: Pick<TaskView, 'phase'>): string => phases[phase] ?? 'The video is being made'

/** What a task costs, and what became of it. */
export function priceWords(task: TaskView): string {
  const { credits_used: used, credits_refunded: refunded, billing_status: billing, status, shortfalls } = task
  if (billing === 'refund_pending') return `${credits(used)}, being returned`
  if (refunded > 0 && billing === 'settled') return chargedInPart(used, refunded, shortfalls)
  if (refunded > 0) return refunded === used ? `${credits(used)}, returned` : `${credits(used)}, of which ${credits(refunded)} returned`
  if (billing === 'review') return `${credits(used)}, held until the outcome is known`
  return status === 'processing' ? `${credits(used)}, held` : credits(used)
}

const shortfallWords: Record<string, string> = {
  duration: 'the video is shorter than ordered',
  resolution: 'its resolution is lower than ordered',
  audio: 'it has no sound',
}

/** `Charged 36 of 60 credits: less was delivered (the video is shorter than ordered)`. */
function chargedInPart(used: number, refunded: number, shortfalls: string[] = []): string {
  const why = shortfalls.flatMap(one => shortfallWords[one] ?? [])
  return `Charged ${number(used - refunded)} of ${credits(used)}: less was delivered${why.length > 0 ? ` (${why.join(', ')})` : ''}`
}

const titleCharactersMax = 90

/** A task is called by its prompt; one from long ago, or of the API before prompts were kept, by its id. */
export function titleOf({ id, prompt }: Pick<TaskView, 'id' | 'prompt'>): string {
  const words = [...(prompt ?? '').trim()]
  if (words.length === 0) return id
  if (words.length <= titleCharactersMax) return words.join('')
  const cut = words.slice(0, titleCharactersMax).join('')
  // Between two words, unless the last one is as long as a sentence.
  const gap = cut.lastIndexOf(' ')
  return `${(gap > titleCharactersMax / 2 ? cut.slice(0, gap) : cut).replace(/[\s.,;:]+$/, '')}…`
}
