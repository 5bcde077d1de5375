import { expect, test } from 'bun:test'
import { createBatch } from './batch'
import { DeadlineError } from './deadline'

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
test('nobody waits longer than an ask may take, behind whatever hangs; what was given up before its turn is never done', async () => {
  const started: number[] = []
  const gates: (() => void)[] = []
  const ask = createBatch<number, number>(
    async inputs => {
      started.push(...inputs)
      await new Promise<void>(resolve => gates.push(resolve))
      return inputs
    },
    { inFlightMax: 2, timeoutMs: 1_000 },
  )
  const asks: Promise<unknown>[] = []
  const startedAt = performance.now()
  for (const input of [1, 2, 3, 4]) {
    asks.push(ask(input).catch(error => error))
    // A turn of its own each.
    await new Promise(resolve => setImmediate(resolve))
  }
  for (const error of await Promise.all(asks)) expect(error).toBeInstanceOf(DeadlineError)
  expect(performance.now() - startedAt).toBeLessThan(1_750)
  expect(started).toEqual([1, 2])
  gates.splice(0).forEach(open => void open())
  const after = ask(5)
  await new Promise(resolve => setImmediate(resolve))
  gates.splice(0).forEach(open => void open())
  expect(await after).toBe(5)
  expect(started).toEqual([1, 2, 5])
})
