import { expect, test } from 'bun:test'
import { create, type MessageInitShape, toBinary } from '@bufbuild/protobuf'
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import { GenerationsEventSchema } from '@filmgate/proto/gen/filmgate/v1/generations_pb'
import { MediaEventSchema } from '@filmgate/proto/gen/filmgate/v1/media_pb'
import { type OrderSchema, Surface } from '@filmgate/proto/gen/filmgate/v1/order_pb'
import { Balance, BudgetScope, RequestsEventSchema } from '@filmgate/proto/gen/filmgate/v1/requests_pb'
import { encode } from '@filmgate/proto/topics'
import { readGeneration, readMedia, readRequest, readRequestInRecovery } from './read-event'

type RequestInit = NonNullable<MessageInitShape<typeof RequestsEventSchema>['event']>
const request = (event: RequestInit) => encode(RequestsEventSchema, { event })

const order: MessageInitShape<typeof OrderSchema> = {
  taskId: 't',
  accountId: 'a',
  surface: Surface.API,
  credits: 40n,
  priceVersion: 'p1',
  admitBy: timestampFromMs(5_000),
  prompt: 'a cat',
}
const granted = { grantId: 'g', accountId: 'a', balance: Balance.PAID, credits: 5n, reason: 'bought' }

test('a request becomes a reservation of its price, and its order is kept whole', () => {
  expect(readRequest(request({ case: 'generationRequested', value: { order } }))).toMatchObject({
    kind: 'reserve',
    taskId: 't',
    accountId: 'a',
    surface: 'api',
    credits: 40,
    priceVersion: 'p1',
    admitByMs: 5_000,
    order: { prompt: 'a cat' },
  })
})

test('limits of an account become an instruction; without a number the rules hold', () => {
  const limits = (value: object) => readRequest(request({ case: 'accountLimitsSet', value: { accountId: 'a', ...value } }))
  expect(limits({ version: 3n, unfinishedTasksMax: 9 })).toEqual({ kind: 'set_limits', accountId: 'a', unfinishedMax: 9, version: 3 })
  expect(limits({ version: 4n })).toEqual({ kind: 'set_limits', accountId: 'a', unfinishedMax: null, version: 4 })
})

test('fields of an order that this build does not know travel on', () => {
  const bytes = request({ case: 'generationRequested', value: { order } })
  // Field 500 of the order, a varint, appended by a newer gateway: outer and inner lengths grow by 3.
  const unknown = [0xa0, 0x1f, 0x07]
  const newer = new Uint8Array([bytes[0] ?? 0, (bytes[1] ?? 0) + 3, bytes[2] ?? 0, (bytes[3] ?? 0) + 3, ...bytes.slice(4), ...unknown])
  const instruction = readRequest(newer)
  const event = { case: 'generationRequested' as const, value: { order: instruction?.kind === 'reserve' ? instruction.order : undefined } }
  expect(toBinary(RequestsEventSchema, create(RequestsEventSchema, { event }))).toEqual(newer)
})

test('grants and openings are read, each balance by its name', () => {
  expect(readRequest(request({ case: 'accountOpened', value: { accountId: 'a', name: 'A' } }))).toEqual({
    kind: 'open_account',
    accountId: 'a',
  })
  expect(readRequest(request({ case: 'creditsGranted', value: { ...granted, balance: Balance.STARTER } }))).toEqual({
    kind: 'grant_credits',
    accountId: 'a',
    change: {
      id: 'g',
      kind: 'grant',
      accountId: 'a',
      balance: 'starter',
      credits: 5,
      reason: 'bought',
      operator: '',
      beyondBalance: false,
    },
  })
})

test('every verdict of media and generations is read with its task', () => {
  const value = { taskId: 't', accountId: 'a' }
  const instructions = (['generationUncertain', 'generationCompleted', 'generationRefused', 'generationFailed'] as const).map(name =>
    readGeneration(encode(GenerationsEventSchema, { event: { case: name, value } })),
  )
  expect(instructions).toEqual(
    (['uncertain', 'completed', 'refused', 'failed'] as const).map(cause => ({ kind: 'conclude', accountId: 'a', taskId: 't', cause })),
  )
  const rejected = encode(MediaEventSchema, { event: { case: 'mediaRejected', value } })
  expect(readMedia(rejected)).toEqual({ kind: 'conclude', accountId: 'a', taskId: 't', cause: 'refused' })
})

test('events that move no credits, and kinds a newer producer sends, are passed over', () => {
  const value = { taskId: 't', accountId: 'a' }
  expect(readGeneration(encode(GenerationsEventSchema, { event: { case: 'generationAccepted', value } }))).toBeUndefined()
  expect(readGeneration(encode(GenerationsEventSchema, { event: { case: 'generationProgressed', value } }))).toBeUndefined()
  expect(readMedia(encode(MediaEventSchema, { event: { case: 'mediaVerified', value: {} } }))).toBeUndefined()
  expect(readRequest(new Uint8Array([0xa2, 0x1f, 0x00]))).toBeUndefined()
})

test('a completion is read with the credits that are due; without them it is as before', () => {
  const completed = (dueCredits?: bigint) =>
    readGeneration(
      encode(GenerationsEventSchema, {
        event: { case: 'generationCompleted', value: { taskId: 't', accountId: 'a', ...(dueCredits !== undefined && { dueCredits }) } },
      }),
    )
  const read = { kind: 'conclude' as const, accountId: 'a', taskId: 't', cause: 'completed' as const }
  expect(completed()).toEqual(read)
  for (const due of [36n, 0n, -5n]) expect(completed(due)).toEqual({ ...read, dueCredits: Number(due) })
})

test('a verdict is read with who made the video, or when it was decided that there is none', () => {
  const at = timestampFromMs(1_790_000_000_000)
  const ids = { taskId: 't', accountId: 'a' }
  const completed = encode(GenerationsEventSchema, { event: { case: 'generationCompleted', value: { ...ids, at, provider: 'fal' } } })
  expect(readGeneration(completed)).toEqual({ kind: 'conclude', ...ids, cause: 'completed', provider: 'fal' })
  const failed = encode(GenerationsEventSchema, { event: { case: 'generationFailed', value: { ...ids, at } } })
  expect(readGeneration(failed)).toEqual({ kind: 'conclude', ...ids, cause: 'failed', verdictAtMs: 1_790_000_000_000 })
  const rejected = encode(MediaEventSchema, { event: { case: 'mediaRejected', value: { ...ids, at } } })
  expect(readMedia(rejected)).toEqual({ kind: 'conclude', ...ids, cause: 'refused', verdictAtMs: 1_790_000_000_000 })
})

test('what cannot be followed is set aside alone, not taken for something else', () => {
  const orders: Partial<typeof order>[] = [
    { taskId: '' },
    { accountId: '' },
    { accountId: 'a\0b' },
    { credits: 0n },
    { credits: -5n },
    { credits: 2n ** 53n },
    { surface: Surface.UNSPECIFIED },
    { admitBy: undefined },
    { priceVersion: '' },
  ]
  for (const fault of orders)
    expect(() => readRequest(request({ case: 'generationRequested', value: { order: { ...order, ...fault } } }))).toThrow('malformed event')
  expect(() => readRequest(request({ case: 'generationRequested', value: {} }))).toThrow('without an order')
  for (const fault of [{ grantId: '' }, { balance: Balance.UNSPECIFIED }, { credits: 0n }])
    expect(() => readRequest(request({ case: 'creditsGranted', value: { ...granted, ...fault } }))).toThrow('malformed event')
  expect(() => readRequest(new Uint8Array([0x0a, 0xff]))).toThrow()
})

test('debits, and ids that were asked for with other terms, are read with who asked', () => {
  const debited = { debitId: 'd', accountId: 'a', balance: Balance.PAID, credits: 5n, reason: 'charged back', operator: 'ada' }
  expect(readRequest(request({ case: 'creditsDebited', value: debited }))).toEqual({
    kind: 'debit_credits',
    accountId: 'a',
    change: {
      id: 'd',
      kind: 'debit',
      accountId: 'a',
      balance: 'paid',
      credits: 5,
      reason: 'charged back',
      operator: 'ada',
      beyondBalance: false,
    },
  })
  expect(readRequest(request({ case: 'creditsDebited', value: { ...debited, beyondBalance: true } }))).toMatchObject({
    change: { beyondBalance: true },
  })
  for (const fault of [
    { balance: Balance.STARTER, beyondBalance: true },
    { debitId: '' },
    { balance: Balance.UNSPECIFIED },
    { credits: 0n },
    { reason: 'a\0b' },
  ])
    expect(() => readRequest(request({ case: 'creditsDebited', value: { ...debited, ...fault } }))).toThrow('malformed event')
  expect(readRequest(request({ case: 'changeIdReused', value: { changeId: 'd', accountId: 'a', asked: 'x', known: 'y' } }))).toEqual({
    kind: 'report_reuse',
    accountId: 'a',
    changeId: 'd',
    asked: 'x',
    known: 'y',
  })
})

test('a budget is read with all its caps; one that no later batch could follow is set aside', () => {
  const set = { accountId: 'a', scope: BudgetScope.KEY, subjectId: 'k', dayMax: 0n, monthMax: 70n, timeZone: 'Europe/Berlin', version: 3n }
  const budget = { accountId: 'a', scope: 'key', subjectId: 'k', caps: { total: null, day: 0, month: 70 }, version: 3 }
  expect(readRequest(request({ case: 'budgetSet', value: set }))).toEqual({
    ...{ kind: 'set_budget', accountId: 'a', timeZone: 'Europe/Berlin' },
    budget: budget as never,
  })
  const faults = [{ scope: BudgetScope.UNSPECIFIED }, { timeZone: '' }, { timeZone: 'Nowhere/Here' }, { version: 0n }, { dayMax: -1n }]
  for (const fault of [...faults, { totalMax: 2n ** 60n }, { subjectId: 'a\0b' }])
    expect(() => readRequest(request({ case: 'budgetSet', value: { ...set, ...fault } }))).toThrow('malformed event')
})

test('a task of the API is its key’s, one of the console its person’s', () => {
  const asked = (terms: object) => readRequest(request({ case: 'generationRequested', value: { order: { ...order, ...terms } } }))
  expect(asked({ keyId: 'k', memberId: '' })).toMatchObject({ keyId: 'k', memberId: null })
  expect(asked({ surface: Surface.WEB, keyId: 'console:a', memberId: 'p' })).toMatchObject({ keyId: null, memberId: 'p' })
})

test('in recovery mode only what was held before is reserved; all else is read as ever', () => {
  const asked = (more: object) => readRequestInRecovery(request({ case: 'generationRequested', value: { order, ...more } }))
  expect(asked({})).toBeUndefined()
  expect(asked({ held: { starter: 4n, ended: true } })).toMatchObject({ kind: 'reserve', taskId: 't', held: { starter: 4, ended: true } })
  expect(readRequestInRecovery(request({ case: 'creditsGranted', value: granted }))).toMatchObject({ kind: 'grant_credits' })
})
