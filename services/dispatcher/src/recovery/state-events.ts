import {
  accepted,
  completed,
  copying,
  failed,
  failureMessages,
  type GenerationsEventInit,
  type PosterRequestInit,
  refusalMessages,
  refused,
  uncertain,
} from '../attempt/events'
import { posterUrlOf } from '../output/poster'
import type { LatestAttempt } from './latest-attempt-repository'

/**
 * What became of an attempt, as the events that were published of it and with their times; after an end only the end's event. None while it
 * is being sent: the provider's answer, or the end of the lease, brings one.
 */
export function stateEvents(attempt: LatestAttempt, outputBaseUrl: string, poster: PosterRequestInit | undefined): GenerationsEventInit[] {
  const { state, updatedAt, endedAt, acceptedAt, reviewSince } = attempt
  const ended = endedAt ?? updatedAt
  switch (state) {
    case 'sending':
      return []
    case 'refused':
      return [refused(attempt, ended, isRefusal(attempt.code) ? attempt.code : 'generation_unavailable')]
    case 'failed':
      return [failed(attempt, ended, isFailure(attempt.code) ? attempt.code : 'generation_failed')]
    case 'completed': {
      const videoUrl = `${outputBaseUrl}/${attempt.outputKey}`
      const posterUrl = posterUrlOf(outputBaseUrl, attempt.outputKey ?? '')
      const { outputBytes, outputSha256, delivery, dueCredits } = attempt
      const output = { videoUrl, bytes: outputBytes ?? 0, sha256: outputSha256 ?? '', poster, posterUrl, delivery, dueCredits }
      return [completed(attempt, ended, output)]
    }
    default:
      return [
        ...(state === 'unknown' ? [] : [accepted(attempt, { at: acceptedAt ?? updatedAt })]),
        ...(state === 'copying' ? [copying(attempt, updatedAt)] : []),
        ...(reviewSince ? [uncertain(attempt, reviewSince, { cause: attempt.cause ?? 'held for review', takenBy: takenBy(attempt) })] : []),
      ]
  }
}

const takenBy = ({ state, acceptedAt, reviewSince }: LatestAttempt): Date | null =>
  state === 'copying' ? null : (acceptedAt ?? reviewSince)

const isRefusal = (code: string | null): code is keyof typeof refusalMessages => code !== null && code in refusalMessages
const isFailure = (code: string | null): code is keyof typeof failureMessages => code !== null && code in failureMessages
