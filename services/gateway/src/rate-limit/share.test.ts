import { expect, test } from 'bun:test'
import { createRecentRequests } from './recent-requests'
import { createShare } from './share'

const windowMs = 60_000

/** Three replicas of which one had let through `before` a while ago. */
function sharesOf(limit: number, before: number, now: () => number) {
  return [0, 1, 2].map(place => {
    const told = createRecentRequests(windowMs)
    if (before) told.learn({ k: `30000:${before}` }, 0, 0)
    return createShare({ limit, windowMs, members: 3, place, before: told, now })
  })
}

test('shares add up to what is left of the limit, whatever does not divide', () => {
  for (let limit = 1; limit <= 40; limit++)
    for (let before = 0; before <= limit; before++) {
      const taken = sharesOf(limit, before, () => 0).map(
        take => Array.from({ length: limit + 1 }, () => take('k')).filter(answer => answer.taken).length,
      )
      expect([limit, before, taken.reduce((sum, count) => sum + count, 0)]).toEqual([limit, before, limit - before])
    }
})

test('what was let through before a round comes back to all when its minute is over', () => {
  let now = 0
  const shares = sharesOf(30, 27, () => now)
  const takeAll = () => shares.map(take => Array.from({ length: 31 }, () => take('k')).filter(answer => answer.taken).length)
  expect(takeAll()).toEqual([1, 1, 1])
  now = 29_000
  expect(takeAll()).toEqual([0, 0, 0])
  now = 31_000
  expect(takeAll()).toEqual([9, 9, 9])
})

test('what is told counts at least as long as it was let through, and no longer than it takes to tell', () => {
  const [mine, theirs] = [createRecentRequests(windowMs), createRecentRequests(windowMs)]
  mine.add('k', 1_001)
  mine.add('k', 1_002)
  // Another clock, an hour ahead, a second later.
  theirs.learn(mine.ages(5_000), 3_606_000, 1_000)
  expect(theirs.used('k', 3_606_000)).toBe(2)
  expect(theirs.used('k', 3_606_000 + windowMs - 5_000)).toBe(2)
  expect(theirs.used('k', 3_606_000 + windowMs - 4_800)).toBe(0)
})
