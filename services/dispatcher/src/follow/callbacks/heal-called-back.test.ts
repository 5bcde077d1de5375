import { expect, test } from 'bun:test'
import type { Due, DueAttempt } from '../../attempt/attempt'
import type { Connector } from '../../providers/connector'
import { type AskDeps, heal } from '../ask'

const longAgo = 3_600_000
const unknown: DueAttempt = {
  ...{ id: 'at_1', taskId: 'vt_1', accountId: 'acc_1', number: 1, provider: 'both', providerModel: 'm', model: 'm', state: 'unknown' },
  ...{
    providerTaskId: null,
    echoed: true,
    generationMsMax: longAgo,
    traceparent: null,
    outputKey: null,
    acceptedMsAgo: 0,
    senderLost: false,
    uploading: false,
    operatorAccepted: false,
  },
  createdAt: new Date(),
  ...{ calledBackAs: 'named', absenceProves: true, absenceCount: 9, absenceFirstMsAgo: longAgo, absenceLastMsAgo: longAgo },
  ...{ cancelAsked: false, unclearMsAgo: null, phase: null, queuePosition: null, percent: null },
}

/** Heals an attempt at a provider that signs its callbacks and has a look-up too. */
function healWith(attempt: DueAttempt, { identify, lookUp }: Pick<Connector, 'identify' | 'lookUp'>) {
  const connector = {
    provider: 'both',
    identify,
    lookUp,
    capabilities: { visibilityMs: 1_000 },
    cadence: { firstMs: 10 },
  } as unknown as Connector
  const job = { kind: 'attempt', id: attempt.id, fairnessKey: '', payload: {}, epoch: 1, tries: 1 }
  const deps = {
    sql: Object.assign(async () => [], { unsafe: () => '' }),
    now: () => new Date(0),
    log: { warn() {} },
    health: { check: async () => ({ state: 'misses_count' }) },
    absenceSightingsMin: 3,
    generationTimeoutMs: 60_000,
  }
  return heal(deps as unknown as AskDeps, { attempt, job, connector } satisfies Due, new AbortController().signal)
}

const nothing = async () => undefined

test('an absence beside the provider’s signed word that it has something proves nothing', async () => {
  expect(await healWith({ ...unknown, calledBackAs: null }, { identify: nothing, lookUp: nothing })).toMatchObject({ to: 'refused' })
  const { to, columns } = (await healWith(unknown, { identify: nothing, lookUp: nothing })) ?? {}
  expect([to, columns]).toEqual([undefined, { cause: 'its callback named the id named, which its provider doesn’t know' }])
  const silent = async () => {
    throw new Error('no answer')
  }
  expect(await healWith(unknown, { identify: silent, lookUp: nothing })).toBe(undefined)
})

test('where the named id is not its own, the look-up by ours still finds it', async () => {
  const transition = await healWith(unknown, { identify: async () => ({ attemptId: 'at_2' }), lookUp: async () => 'found' })
  expect(transition).toMatchObject({ to: 'accepted', columns: { providerTaskId: 'found', echoed: true } })
})

test('whether the provider repeats our id beside the one it named is kept', async () => {
  for (const attemptId of ['at_1', null]) {
    const transition = await healWith(unknown, { identify: async () => ({ attemptId }), lookUp: nothing })
    expect(transition).toMatchObject({ to: 'accepted', columns: { providerTaskId: 'named', echoed: attemptId !== null } })
  }
})

test('an attempt that has an id of its own is not asked about under another', async () => {
  let asked = 0
  const identify = async () => {
    asked += 1
    return { attemptId: null }
  }
  await healWith({ ...unknown, providerTaskId: 'own' }, { identify, lookUp: nothing })
  await healWith({ ...unknown, state: 'sending' }, { identify, lookUp: nothing })
  expect(asked).toBe(0)
})
