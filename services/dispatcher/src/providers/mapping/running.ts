import type { PollAnswer } from '../connector'

/** More than any queue holds: what is longer is no place in one. */
const positionMax = 1_000_000

/** It waits at its provider; `position` as an answer has it, whatever that is. */
export const queued = (position?: unknown): PollAnswer => {
  const queuePosition = wholeUpTo(positionMax, position)
  return { status: 'running', progress: { phase: 'queued', ...(queuePosition !== undefined && { queuePosition }) } }
}

/** It is being made; `percent` as an answer has it, whatever that is. */
export const generating = (told?: unknown): PollAnswer => {
  const percent = wholeUpTo(100, told)
  return { status: 'running', progress: { phase: 'generating', ...(percent !== undefined && { percent }) } }
}

function wholeUpTo(max: number, told: unknown): number | undefined {
  return typeof told === 'number' && told >= 0 && told <= max ? Math.floor(told) : undefined
}
