import { expect, test } from 'bun:test'
import { DeadlineError } from '@filmgate/kit/deadline'
import { createBatchedRead } from './batched-read'

test('while the database is silent nobody waits longer than one read may take, however many asked before', async () => {
  const read = createBatchedRead<number, number>(() => new Promise(() => {}))
  const startedAt = performance.now()
  const asks: Promise<unknown>[] = []
  for (let ask = 0; ask < 6; ask++) {
    asks.push(read(ask).catch(error => error))
    // A turn of its own each, so that they don't share a statement.
    await Bun.sleep(1)
  }
  for (const error of await Promise.all(asks)) expect(error).toBeInstanceOf(DeadlineError)
  expect(performance.now() - startedAt).toBeLessThan(4_500)
})
test('asks of one moment share a statement, each with its own answer', async () => {
  const asked: number[][] = []
  const read = createBatchedRead<number, number>(async inputs => {
    asked.push(inputs)
    return inputs.map(input => 2 * input)
  })
  expect(await Promise.all([1, 2, 3].map(read))).toEqual([2, 4, 6])
  expect(asked).toEqual([[1, 2, 3]])
})
