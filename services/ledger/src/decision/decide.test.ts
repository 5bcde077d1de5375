import { expect, test } from 'bun:test'
import { create } from '@bufbuild/protobuf'
import { CreditsEventSchema } from '@filmgate/proto/gen/filmgate/v1/credits_pb'
import { OrderSchema } from '@filmgate/proto/gen/filmgate/v1/order_pb'
import { encode } from '@filmgate/proto/topics'
import type { Books } from '../books/book-changes'
import type { TaskInstruction } from '../books/instruction'
import type { Reservation } from '../books/reservation'
import { decide } from './decide'

const nowMs = 1_790_000_000_000
const rules = { unfinishedMax: 3, nowMs }
const request = {
  taskId: 't',
  accountId: 'a',
  surface: 'api',
  keyId: null,
  memberId: null,
  credits: 60,
  priceVersion: 'p',
  admitByMs: nowMs + 1_000,
} as const
const order = create(OrderSchema, { taskId: 't', accountId: 'a', credits: 60n })

const account = {
  id: 'a',
  available: 40,
  starter: 0,
  owed: 0,
  unfinished: 1,
  unfinishedMax: null,
  limitsVersion: 0,
  balanceVersion: 2,
  postedAtMs: nowMs,
  timeZone: null,
  budgetVersion: 0,
}
const reservation: Reservation = {
  ...{ taskId: 't', accountId: 'a', surface: 'api', paid: 60, starter: 0, priceVersion: 'p', state: 'settled', refunded: 0 },
  ...{
    ...{ spendDay: null, keyId: null, memberId: null },
    reservedAtMs: nowMs,
    changedAtMs: nowMs,
    countsUntilMs: null,
    reservedAvailable: 40,
    reservedVersion: 2,
    refundedAvailable: null,
    refundedVersion: null,
  },
}
const declined = {
  taskId: 't',
  accountId: 'a',
  reason: 'released',
  required: 0,
  available: 40,
  admitByMs: nowMs,
  declinedAtMs: nowMs,
} as const

const books = (known: Partial<Books>): Books => ({
  ...{ accounts: new Map([['a', account]]), reservations: new Map(), creditChanges: new Map() },
  ...{ declined: new Map(), reservedEvents: new Map(), requests: new Map(), budgets: new Map(), spend: new Map(), ...known },
})
const settled = books({ reservations: new Map([['t', reservation]]) })
const kept = encode(CreditsEventSchema, { event: { case: 'creditsReserved', value: { order } } })
const inReview = books({ reservations: new Map([['t', { ...reservation, state: 'review' }]]), reservedEvents: new Map([['t', kept]]) })
const released = books({ declined: new Map([['t', declined]]) })

const task = { taskId: 't', accountId: 'a' }
const repeated: [what: string, known: Books, instruction: TaskInstruction, published: string[]][] = [
  ['a request', settled, { kind: 'reserve', ...request, order }, ['creditsReserved', 'creditsSettled']],
  ['a verdict', settled, { kind: 'conclude', ...task, cause: 'completed' }, ['creditsSettled']],
  ['an operator’s replay', settled, { kind: 'replay', ...task }, ['creditsSettled']],
  ['a replay of what is open', inReview, { kind: 'replay', ...task }, ['creditsReserved', 'reviewOpened']],
  ['an uncertainty', inReview, { kind: 'conclude', ...task, cause: 'uncertain' }, ['reviewOpened']],
  ['a request that was released', released, { kind: 'reserve', ...request, order }, ['creditsDeclined']],
  ['a release', released, { kind: 'release', ...task, reason: 'lost', by: 'bob', admitByMs: nowMs }, ['creditsDeclined']],
  ['a replay of what was released', released, { kind: 'replay', ...task }, ['creditsDeclined']],
]
for (const [what, known, instruction, published] of repeated)
  test(`${what}: what was decided before moves nothing and is published again, once a batch`, () => {
    const changes = decide(known, [instruction, instruction], rules)
    expect(changes.events.map(({ event }) => event.case).filter(name => name !== 'balanceChanged')).toEqual(published as never)
    expect([...changes.accounts.values()]).toEqual([account])
    expect([changes.entries, changes.releases, changes.contradictions]).toEqual([[], [], []])
    expect([[...changes.reservations], [...changes.declined]]).toEqual([[...known.reservations], [...known.declined]])
    expect(changes.eventsReplayed).toBe(published.length)
  })

test('a refund that is due again publishes nothing: the ledger itself asked for it', () => {
  const refunded = books({ reservations: new Map([['t', { ...reservation, state: 'refunded', refunded: 60 }]]) })
  expect(decide(refunded, [{ kind: 'conclude', ...task, cause: 'refund_due' }], rules).events).toEqual([])
})

test('another account’s replay publishes nothing of a task', () => {
  expect(decide(settled, [{ kind: 'replay', taskId: 't', accountId: 'b' }], rules).events).toEqual([])
})
