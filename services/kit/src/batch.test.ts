import { expect, test } from 'bun:test'
import { createBatch } from './batch'

test('asks of one moment share a call and each gets its own answer', async () => {
  const calls: number[][] = []
  const double = createBatch<number, number>(async inputs => {
    calls.push(inputs)
    return inputs.map(input => input * 2)
  })
  expect(await Promise.all([1, 2, 3].map(double))).toEqual([2, 4, 6])
  expect(calls).toEqual([[1, 2, 3]])
})
test('what arrives while two calls are under way gathers for the next, and no call is larger than allowed', async () => {
  const gates: (() => void)[] = []
  const sizes: number[] = []
  const ask = createBatch<number, number>(
    async inputs => {
      sizes.push(inputs.length)
      await new Promise<void>(resolve => gates.push(resolve))
      return inputs
    },
    { inFlightMax: 2, sizeMax: 3 },
  )
  const first = ask(1)
  await Promise.resolve()
  const second = ask(2)
  await Promise.resolve()
  const rest = [3, 4, 5, 6].map(ask)
  await Promise.resolve()
  expect(sizes).toEqual([1, 1])
  gates.splice(0).forEach(open => void open())
  expect(await Promise.all([first, second])).toEqual([1, 2])
  expect(sizes).toEqual([1, 1, 3, 1])
  gates.splice(0).forEach(open => void open())
  expect(await Promise.all(rest)).toEqual([3, 4, 5, 6])
})
test('a call that fails fails its own asks, and the next goes on', async () => {
  let fail = true
  const ask = createBatch<number, number>(async inputs => {
    if (fail) throw new Error('no')
    return inputs
  })
  await expect(ask(1)).rejects.toThrow('no')
  await Promise.allSettled([ask(1)])
  fail = false
  expect(await ask(2)).toBe(2)
})
test('while asks come densely they go in waves; few are never kept waiting', async () => {
  const sizes: number[] = []
  const ask = createBatch<number, number>(
    async inputs => {
      sizes.push(inputs.length)
      return inputs
    },
    { gatherMs: 10 },
  )
  const asked: Promise<number>[] = []
  for (let sparse = 0; sparse < 20; sparse++) {
    asked.push(ask(sparse))
    await Bun.sleep(6)
  }
  expect(sizes).toEqual(Array.from({ length: 20 }, () => 1))
  const turn = () => new Promise(resolve => setImmediate(resolve))
  for (let dense = 0; dense < 200; dense++) {
    asked.push(ask(dense))
    await turn()
  }
  expect((await Promise.all(asked)).slice(20)).toEqual(Array.from({ length: 200 }, (_, dense) => dense))
  expect(sizes.length - 20).toBeLessThan(40)
})
