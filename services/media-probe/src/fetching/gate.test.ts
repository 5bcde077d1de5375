import { expect, test } from 'bun:test'
import { createGate } from './gate'

const never = new AbortController().signal
const request = (account: string, host = 'h') => ({ account, host })

/** Acquires a slot and records the order. */
function acquire(gate: ReturnType<typeof createGate>, order: string[], account: string, host = 'h') {
  return gate.acquire(request(account, host), never).then(release => {
    order.push(account)
    return release
  })
}

test('slots rotate between accounts: many requests of one don’t block another’s', async () => {
  const gate = createGate({ slotsMax: 1, perAccountMax: 10, perHostMax: 10 })
  const order: string[] = []
  const first = await gate.acquire(request('busy'), never)
  const waiting = [acquire(gate, order, 'busy'), acquire(gate, order, 'busy'), acquire(gate, order, 'quiet')]
  first()
  for (const entered of [waiting[0], waiting[2], waiting[1]]) (await entered)?.()
  expect(order).toEqual(['busy', 'quiet', 'busy'])
})

test('requests for a busy host don’t block those for other hosts', async () => {
  const gate = createGate({ slotsMax: 3, perAccountMax: 10, perHostMax: 1 })
  const order: string[] = []
  const slow = await gate.acquire(request('a', 'slow'), never)
  const behind = acquire(gate, order, 'b', 'slow')
  const past = await acquire(gate, order, 'c', 'fast')
  expect(order).toEqual(['c'])
  slow()
  ;(await behind)()
  past()
  expect(gate.inUse()).toBe(0)
})

test('an account gets at most its share of slots', async () => {
  const gate = createGate({ slotsMax: 10, perAccountMax: 2, perHostMax: 10 })
  const leaves = await Promise.all([gate.acquire(request('a'), never), gate.acquire(request('a'), never)])
  const third = gate.acquire(request('a'), never)
  expect([gate.inUse(), gate.waiting()]).toEqual([2, 1])
  leaves[0]?.()
  ;(await third)()
  leaves[1]?.()
})

test('a cancelled request leaves nothing behind', async () => {
  const gate = createGate({ slotsMax: 1, perAccountMax: 1, perHostMax: 1 })
  const release = await gate.acquire(request('a'), never)
  const caller = new AbortController()
  const waiting = gate.acquire(request('b'), caller.signal)
  caller.abort(new Error('gone'))
  await expect(waiting).rejects.toThrow('gone')
  expect(gate.waiting()).toBe(0)
  release()
  release()
  expect(gate.inUse()).toBe(0)
})

test('a closed gate grants no slot until it is rechecked', async () => {
  let canGrant = false
  const gate = createGate({ slotsMax: 1, perAccountMax: 1, perHostMax: 1, canGrant: () => canGrant })
  const entering = gate.acquire(request('a'), never)
  expect(gate.waiting()).toBe(1)
  canGrant = true
  gate.recheck()
  ;(await entering)()
})
