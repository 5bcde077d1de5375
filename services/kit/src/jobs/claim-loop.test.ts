import { expect, test } from 'bun:test'
import { startClaimLoop } from './claim-loop'

const turns = async (count: number) => {
  for (let turn = 0; turn < count; turn++) await new Promise(resolve => setImmediate(resolve))
}

test('a full claim is followed by another at once, a short one by none before somebody wakes', async () => {
  const limits: number[] = []
  const found = [3, 3, 1, 0]
  const claim = async (limit: number) => {
    limits.push(limit)
    return found.shift() ?? 0
  }
  const loop = startClaimLoop({ room: () => 3, claim, pollEveryMs: 600_000 })
  await turns(10)
  expect(limits).toEqual([3, 3, 3])
  loop.wake()
  await turns(10)
  expect(limits).toEqual([3, 3, 3, 3])
  await loop.stop()
})

test('nothing is claimed where there is no room, until a wake finds some', async () => {
  let room = 0
  const limits: number[] = []
  const claim = async (limit: number) => {
    limits.push(limit)
    return 0
  }
  const loop = startClaimLoop({ room: () => room, claim, pollEveryMs: 600_000 })
  await turns(5)
  room = 2
  loop.wake()
  await turns(5)
  await loop.stop()
  expect(limits).toEqual([2])
})

test('a wake while a claim is under way is not lost', async () => {
  const { promise: answered, resolve: answer } = Promise.withResolvers<number>()
  const answers = [answered, Promise.resolve(0)]
  let claims = 0
  const claim = () => answers[claims++] ?? Promise.resolve(0)
  const loop = startClaimLoop({ room: () => 1, claim, pollEveryMs: 600_000 })
  loop.wake()
  answer(0)
  await turns(10)
  expect(claims).toBe(2)
  await loop.stop()
})
