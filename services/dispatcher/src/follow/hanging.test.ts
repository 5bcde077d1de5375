import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { type TestDatabase, testDatabase, testLog, until } from '@filmgate/kit/testing'
import type { Transition } from '../attempt/transition'
import type { Connector } from '../providers/connector'
import { connectSimulator } from '../providers/simulator/connect-simulator'
import { createRouting } from '../routing/routing'
import { answeringProvider } from '../testing/answering-provider'
import { fillAccepted } from '../testing/fill-accepted'
import { simulatorKey } from '../testing/test-system'
import { type FollowUp, type FollowUpDeps, startFollowUp } from './follow-up'

const pollsMax = 20
const minute = 60_000
const never = () => new Promise<Response>(() => {})

let database: TestDatabase
let followUp: FollowUp
const written: Transition[] = []
const providers = new Map<string, ReturnType<typeof answeringProvider>>()
const askedOf = (name: string) => providers.get(name)?.asked.length ?? 0

/** A simulator's connector that asks about each attempt by itself, and waits for a minute. */
function connect(name: string, pollEveryMs: number, answer: () => Response | Promise<Response>): Connector {
  const provider = answeringProvider(answer)
  providers.set(name, provider)
  const bounds = { visibilityMs: minute, firstPollMs: 20, submitTimeoutMs: minute, readTimeoutMs: minute }
  const connector = connectSimulator({ provider: name, url: provider.url, key: simulatorKey, ...bounds })
  const budget = { perSecond: 10_000, atOnce: 1_000 }
  return { ...connector, budget, pollSizeMax: 1, cadence: { firstMs: pollEveryMs, ofAge: 0, maxMs: pollEveryMs } }
}

let forgotten: string | undefined
/** Knows the first one that it was ever asked about no more, and to the look-up for that one it gives no answer. */
const forgetful: Connector = {
  ...connect('forgetful', 20, never),
  pollSizeMax: 2,
  async poll(polled) {
    forgotten ??= polled[0]?.attemptId
    return polled.map(one =>
      one.attemptId === forgotten ? { status: 'missing' } : { status: 'succeeded', outputUrl: 'https://a.example/a' },
    )
  },
}

beforeAll(async () => {
  database = await testDatabase(join(import.meta.dir, '../../migrations'))
  const running = () => Response.json({ data: [] })
  const lookUpLess = ({ lookUp: _, ...rest }: Connector): Connector => rest
  const connectors = [
    connect('hanging', 1_000, never),
    connect('hanging-too', 1_000, never),
    lookUpLess(connect('quick', 20, running)),
    forgetful,
  ]
  followUp = startFollowUp({
    sql: database.sql,
    log: testLog,
    routing: createRouting({ default: [], models: {} }, connectors),
    write: async (transition: Transition) => written.push(transition) > 0,
    health: { check: async () => undefined },
    now: () => new Date(),
    newOutputKey: () => 'a.mp4',
    ...{ claimEveryMs: 10, pollsMax, generationTimeoutMs: 10 * minute, overduePollMs: minute },
    ...{ absenceSightingsMin: 3, outputRetentionMs: minute },
  } as unknown as FollowUpDeps)
})
afterAll(async () => {
  await followUp.stop()
  for (const provider of providers.values()) provider.stop()
  await database.drop()
})

const fill = (provider: string, count: number, acceptedMsAgo?: number) => fillAccepted(database.sql, provider, count, acceptedMsAgo)
const toOf = (id: string) => written.find(({ attempt }) => attempt.id === id)?.to

test('an answer waits for no other of the same call', async () => {
  const both = await fill('forgetful', 2)
  await until('one is copied', () => both.some(id => toOf(id) === 'copying'))
  await until('the other is being looked up', () => askedOf('forgetful') === 1)
  expect(both.filter(id => toOf(id) === undefined)).toEqual([forgotten ?? ''])
})

test('however many providers hang, others are asked as before', async () => {
  await fill('hanging', 3 * pollsMax)
  await until('it has nearly half of the slots', () => askedOf('hanging') >= pollsMax / 2 - 2)
  await fill('hanging-too', 3 * pollsMax)
  await until('the second one hangs as well', () => askedOf('hanging-too') > 0)
  await fill('quick', 3)
  await until('the third one answers', () => askedOf('quick') > 100)
  expect(askedOf('hanging')).toBeLessThanOrEqual(pollsMax / 2)
  expect(askedOf('hanging') + askedOf('hanging-too')).toBeLessThan(pollsMax)
})

test('what runs out of time at a provider that hangs comes to its review without a place there', async () => {
  const [before, overdue] = [askedOf('hanging'), await fill('hanging', pollsMax, 11 * minute)]
  await until('all are held for review', () => overdue.every(id => toOf(id) === 'overdue'))
  expect(askedOf('hanging')).toBe(before)
})
