import { expect, test } from 'bun:test'
import { type Hold, holdsOfProvider, holdsOfRoute, isUnanswering, routeState } from './hold'

const hold = (given: Partial<Hold>): Hold => ({
  ...{ id: '1', provider: 'fal', model: null, cause: 'paused', reason: 'r', startedBy: null, startedAt: new Date(0) },
  ...{ keyDigest: null, probeAt: null, probes: 0, probeDue: false, ...given },
})
const fal = { provider: 'fal', keyDigest: 'k1' }

test.each<[string, Partial<Hold>[], ReturnType<typeof routeState>]>([
  ['nothing', [], 'open'],
  ['a pause', [{}], 'held'],
  ['a pause of another model', [{ model: 'other' }], 'open'],
  ['a pause of another provider', [{ provider: 'kling' }], 'open'],
  ['a breaker', [{ cause: 'unanswered' }], 'held'],
  ['a breaker whose probe is due', [{ cause: 'unanswered', probeDue: true }], 'probe'],
  ['one that is due and one that is not', [{ cause: 'unanswered', probeDue: true }, { cause: 'no_balance' }], 'held'],
  ['one that is due and a pause', [{ cause: 'unanswered', probeDue: true }, {}], 'held'],
  ['its key, refused', [{ cause: 'key_refused', keyDigest: 'k1' }], 'held'],
  ['the key of before, refused', [{ cause: 'key_refused', keyDigest: 'k0' }], 'open'],
])('with %s a route is as it should be', (_, holds, state) => {
  expect(routeState(holdsOfRoute(holds.map(hold), fal, 'm'))).toBe(state)
})

test('a provider has the holds of its single models too', () => {
  const holds = [hold({ id: '1', model: 'm' }), hold({ id: '2' }), hold({ id: '3', provider: 'kling' })]
  expect(holdsOfProvider(holds, fal).map(({ id }) => id)).toEqual(['1', '2'])
})

test.each([
  [4, 0, false],
  [5, 0, true],
  [5, 44, true],
  [5, 45, false],
])(
  '%i undecided submits with %i certain answers since the first of them hold a provider where 45 are enough: %p',
  (undecided, certain, holds) => {
    expect(isUnanswering({ provider: 'fal', undecided, certain }, 5, 45)).toBe(holds)
  },
)
