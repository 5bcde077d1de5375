import { backoffMs } from '@filmgate/kit/deadline'
import type { Attempt, DeliveryStatus } from '../deliveries/delivery'

export type Judgement = { status: DeliveryStatus; runAfterMs: number }

export type RetryRules = { retryFirstMs: number }

const retryMsMax = 4 * 3_600_000

/** What becomes of a delivery: its `tries` attempts before this one failed. A test is tried once. */
export function judgeAttempt(
  { event, tries, giveUpAt }: { event: string; tries: number; giveUpAt: Date },
  { error }: Pick<Attempt, 'error'>,
  { retryFirstMs }: RetryRules,
  now: Date,
  random?: () => number,
): Judgement {
  if (error === null) return { status: 'delivered', runAfterMs: 0 }
  const runAfterMs = backoffMs(tries + 1, retryFirstMs, retryMsMax, random)
  if (event === 'webhook.test' || now.getTime() + runAfterMs > giveUpAt.getTime()) return { status: 'failed', runAfterMs: 0 }
  return { status: 'pending', runAfterMs }
}

/** An endpoint, by its latest attempts. */
export type Health = { prompt: boolean; failingSince: Date | null; pausedReason: string | null }

/** Answers that take longer are no reason to retry, but to be served apart. */
const promptMsMax = 1_000
const dayMs = 86_400_000
/** A first failure days after an old one proves nothing: its own delivery has to have failed this often. */
const triesBeforePause = 5

export type JudgedAttempt = Pick<Attempt, 'status' | 'error' | 'duration_ms'> & {
  event: string
  /** Attempts of its delivery, with this one. */
  tries: number
}

/** `attempts` in the order they ended. A pause is for good: only `resume` ends it. A test that fails counts as no failure. */
export function judgeEndpoint(
  before: Pick<Health, 'prompt' | 'failingSince'>,
  attempts: JudgedAttempt[],
  { pauseAfterDays }: { pauseAfterDays: number },
  now: Date,
): Health {
  let health: Health = { ...before, pausedReason: null }
  for (const attempt of attempts) {
    if (attempt.error === null) health = { prompt: attempt.duration_ms <= promptMsMax, failingSince: null, pausedReason: null }
    else if (attempt.event === 'webhook.test') health = { ...health, prompt: false }
    else {
      const failingSince = health.failingSince ?? now
      health = {
        prompt: false,
        failingSince,
        pausedReason: health.pausedReason ?? reasonToPause(attempt, failingSince, pauseAfterDays, now),
      }
    }
  }
  return health
}

function reasonToPause({ status, tries }: JudgedAttempt, failingSince: Date, pauseAfterDays: number, now: Date): string | null {
  if (status === 410) return 'the endpoint answered 410 Gone'
  const failedDays = (now.getTime() - failingSince.getTime()) / dayMs
  return failedDays >= pauseAfterDays && tries >= triesBeforePause ? `nothing but failures since ${failingSince.toISOString()}` : null
}
