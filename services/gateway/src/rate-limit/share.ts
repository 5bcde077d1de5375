import { type Admissions, createAdmissions } from './admissions'
import type { TokenAnswer } from './token'

export type TakeFromShare = (key: string) => TokenAnswer

export type ShareDeps = {
  limit: number
  windowMs: number
  members: number
  /** This replica's place among them, from 0. */
  place: number
  /** What all of them together had let through before this round. */
  before: Admissions
  now(): number
}

/**
 * One replica's share of each key's limit, taken from without asking anybody. What was let through before is subtracted first, and the
 * rest is divided so that the shares of all members add up to it: no window holds more than the limit, whoever asks whom.
 */
export function createShare({ limit, windowMs, members, place, before, now }: ShareDeps): TakeFromShare {
  const own = createAdmissions(windowMs)
  const shareOf = (left: number) => Math.max(0, Math.floor((left + members - 1 - place) / members))
  return function take(key: string): TokenAnswer {
    const at = now()
    const share = shareOf(limit - before.used(key, at))
    const used = own.used(key, at)
    const taken = used < share
    if (taken) own.add(key, at)
    // Another replica may answer next, and knows only that after a window without a request every share is whole again.
    return { taken, left: Math.max(0, share - used - (taken ? 1 : 0)), waitMs: windowMs }
  }
}
