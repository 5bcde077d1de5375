import { failureMessages } from '../attempt/attempt'
import { accepted, completed, copying, failed, type GenerationsEventInit, refused, uncertain } from '../attempt/events'
import type { LatestAttempt } from './latest-attempt-repository'

/**
 * What an attempt has come to, as the events that told of it and at their moments; the steps before an end are told by the end. Nothing
 * while it is being sent: its answer, or the lease that runs out, will tell.
 */
export function stateEvents(attempt: LatestAttempt, outputBaseUrl: string): GenerationsEventInit[] {
  const { state, updatedAt, endedAt, acceptedAt, reviewSince } = attempt
  const ended = endedAt ?? updatedAt
  switch (state) {
    case 'sending':
      return []
    case 'refused':
      return [refused(attempt, ended, attempt.code === 'prompt_rejected' ? attempt.code : 'generation_unavailable')]
    case 'failed':
      return [failed(attempt, ended, isFailure(attempt.code) ? attempt.code : 'generation_failed')]
    case 'completed': {
      const videoUrl = `${outputBaseUrl}/${attempt.outputKey}`
      return [completed(attempt, ended, { videoUrl, bytes: attempt.outputBytes ?? 0, sha256: attempt.outputSha256 ?? '' })]
    }
    default:
      return [
        ...(state === 'unknown' ? [] : [accepted(attempt, acceptedAt ?? updatedAt)]),
        ...(state === 'copying' ? [copying(attempt, updatedAt)] : []),
        ...(reviewSince ? [uncertain(attempt, reviewSince, attempt.cause ?? 'held for review')] : []),
      ]
  }
}

const isFailure = (code: string | null): code is keyof typeof failureMessages => code !== null && code in failureMessages
