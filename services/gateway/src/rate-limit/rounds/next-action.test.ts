import { expect, test } from 'bun:test'
import { nextAction, type Self } from './next-action'
import type { SeenReplica, SeenRound } from './round-repository'

const replica = (id: string, changes: Partial<SeenReplica> = {}): SeenReplica => ({
  id,
  round: 7,
  sees: 'x',
  left: false,
  leaseLeftMs: 4_000,
  ...changes,
})
const round = (store: string | null, ...replicas: SeenReplica[]): SeenRound => ({
  round: 7,
  name: 'r',
  store,
  members: ['a', 'b', 'c'],
  mine: true,
  replicas: [replica('a'), ...replicas],
})
const self: Self = { id: 'a', sees: 'x', taking: false, enteredForMs: 100, takingForMs: 0, steadyMs: 1_000 }
const late: Self = { ...self, enteredForMs: 2_000 }
const taking: Self = { ...self, taking: true, takingForMs: 1_000 }
const [here, coming] = [{}, { round: 6 }]
const [dead, leaving] = [
  { round: 6, leaseLeftMs: -1 },
  { round: 6, left: true, leaseLeftMs: -1 },
]

test('shares are taken from once every member has told, has left, or is certain not to come', () => {
  const actions = [here, coming, dead, leaving].map(b => nextAction(round(null, replica('b', b), replica('c')), self))
  expect(actions).toEqual(['take from shares', 'wait', 'wait', 'take from shares'])
  expect(nextAction(round(null, replica('b', dead), replica('c')), late)).toBe('take from shares')
  expect(nextAction(round(null, replica('b', coming), replica('c')), late)).toBe('wait')
  // What b let through is past: it is not even listed.
  expect(nextAction(round(null, replica('c')), self)).toBe('take from shares')
})

test('Redis is taken from once every member has told it, and given up where one can not', () => {
  const actions = [here, coming, dead, leaving].map(b => nextAction(round('x', replica('b', b), replica('c')), self))
  expect(actions).toEqual(['take from redis', 'wait', 'open shares', 'open shares'])
  expect(nextAction(round('x', replica('b', coming), replica('c')), late)).toBe('open shares')
  const full = round('x', replica('b'), replica('c'))
  expect(nextAction(full, { ...self, sees: 'y' })).toBe('open shares')
  expect(nextAction(full, { ...self, sees: undefined })).toBe('wait')
  expect(nextAction(full, { ...late, sees: undefined })).toBe('open shares')
  // A member that ended long ago had told.
  expect(nextAction(round('x', replica('c')), self)).toBe('take from redis')
})

test('Redis is returned to once everyone who may have let something through reaches the same one for a while', () => {
  const back = (b: Partial<SeenReplica>, who = taking) => nextAction(round(null, replica('b', b), replica('c')), who)
  expect(back(here)).toBe('open redis')
  expect(back(here, { ...taking, takingForMs: 900 })).toBe('wait')
  expect(back(here, { ...taking, sees: undefined })).toBe('wait')
  expect([{ sees: 'y' }, { sees: null }, { left: true }, { leaseLeftMs: -1 }].map(b => back(b))).toEqual(['wait', 'wait', 'wait', 'wait'])
})
