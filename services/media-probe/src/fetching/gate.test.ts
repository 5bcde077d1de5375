import { expect, test } from 'bun:test'
import { createGate } from './gate'

const never = new AbortController().signal
const visitor = (account: string, host = 'h') => ({ account, host })

/** Enters and writes down when it got in. */
function enter(gate: ReturnType<typeof createGate>, order: string[], account: string, host = 'h') {
  return gate.enter(visitor(account, host), never).then(leave => {
    order.push(account)
    return leave
  })
}

test('accounts take turns: one account’s many don’t stand before another’s one', async () => {
  const gate = createGate({ placesMax: 1, perAccountMax: 10, perHostMax: 10 })
  const order: string[] = []
  const first = await gate.enter(visitor('busy'), never)
  const waiting = [enter(gate, order, 'busy'), enter(gate, order, 'busy'), enter(gate, order, 'quiet')]
  first()
  for (const entered of [waiting[0], waiting[2], waiting[1]]) (await entered)?.()
  expect(order).toEqual(['busy', 'quiet', 'busy'])
})

test('who waits for a host that is full lets the others past', async () => {
  const gate = createGate({ placesMax: 3, perAccountMax: 10, perHostMax: 1 })
  const order: string[] = []
  const slow = await gate.enter(visitor('a', 'slow'), never)
  const behind = enter(gate, order, 'b', 'slow')
  const past = await enter(gate, order, 'c', 'fast')
  expect(order).toEqual(['c'])
  slow()
  ;(await behind)()
  past()
  expect(gate.inside()).toBe(0)
})

test('an account has no more places than its share', async () => {
  const gate = createGate({ placesMax: 10, perAccountMax: 2, perHostMax: 10 })
  const leaves = await Promise.all([gate.enter(visitor('a'), never), gate.enter(visitor('a'), never)])
  const third = gate.enter(visitor('a'), never)
  expect([gate.inside(), gate.waiting()]).toEqual([2, 1])
  leaves[0]?.()
  ;(await third)()
  leaves[1]?.()
})

test('who gives up waiting leaves no trace', async () => {
  const gate = createGate({ placesMax: 1, perAccountMax: 1, perHostMax: 1 })
  const leave = await gate.enter(visitor('a'), never)
  const caller = new AbortController()
  const waiting = gate.enter(visitor('b'), caller.signal)
  caller.abort(new Error('gone'))
  await expect(waiting).rejects.toThrow('gone')
  expect(gate.waiting()).toBe(0)
  leave()
  leave()
  expect(gate.inside()).toBe(0)
})

test('a closed gate admits nobody until it is told to look again', async () => {
  let open = false
  const gate = createGate({ placesMax: 1, perAccountMax: 1, perHostMax: 1, open: () => open })
  const entering = gate.enter(visitor('a'), never)
  expect(gate.waiting()).toBe(1)
  open = true
  gate.look()
  ;(await entering)()
})
