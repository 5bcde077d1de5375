import { createRecentRequests, type RecentRequests } from './recent-requests'
import type { TokenAnswer } from './token'

export type TakeFromShare = (key: string) => TokenAnswer

export type ShareDeps = {
  limit: number
  windowMs: number
  members: number
  /** This replica's place among them, from 0. */
  place: number
  /** What all of them together had let through before this round. */
  before: RecentRequests
  now(): number
}

/**
 * One replica's share of each key's limit, taken from without asking anybody. What was let through before is subtracted first, and the
 * rest is divided so that the shares of all members add up to it: no window lets more than the limit through, whichever replica is asked.
 */
export function createShare({ limit, windowMs, members, place, before, now }: ShareDeps): TakeFromShare {
  const own = createRecentRequests(windowMs)
  const shareOf = (left: number) => Math.max(0, Math.floor((left + members - 1 - place) / members))
  return function take(key: string): TokenAnswer {
    const at = now()
    const share = shareOf(limit - before.used(key, at))
    const used = own.used(key, at)
    const taken = used < share
    if (taken) own.add(key, at)
    // The next request may reach another replica: only after a window without requests is every replica's share whole again.
    return { taken, left: Math.max(0, share - used - (taken ? 1 : 0)), waitMs: windowMs }
  }
}
