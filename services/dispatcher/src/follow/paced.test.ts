import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { type TestDatabase, testDatabase, testLog, until } from '@filmgate/kit/testing'
import { callProvider } from '../providers/call'
import type { Budget, Connector } from '../providers/connector'
import { connectSimulator } from '../providers/simulator/connect-simulator'
import { createRouting } from '../routing/routing'
import { answeringProvider } from '../testing/answering-provider'
import { fillAccepted } from '../testing/fill-accepted'
import { simulatorKey } from '../testing/test-system'
import { type FollowUp, type FollowUpDeps, startFollowUp } from './follow-up'

let database: TestDatabase
let followUp: FollowUp
const providers: ReturnType<typeof answeringProvider>[] = []
const answers: Record<string, () => Response> = {}
const running = () => Response.json({ data: [] })

/** A simulator's connector that asks about every attempt by a call of its own, every 20 ms, within this budget. */
function connect(name: string, budget: Budget): Connector {
  const provider = answeringProvider(() => (answers[name] ?? running)())
  providers.push(provider)
  const bounds = { visibilityMs: 60_000, firstPollMs: 20, submitTimeoutMs: 1_000, readTimeoutMs: 1_000 }
  const connector = connectSimulator({ provider: name, url: provider.url, key: simulatorKey, ...bounds })
  const { lookUp: _, ...rest } = connector
  return { ...rest, budget, pollSizeMax: 1, cadence: { firstMs: 20, ofAge: 0, maxMs: 20 } }
}
/** As MiniMax does: its word for a task that it doesn't know comes with 500. */
function connectTold(name: string, budget: Budget): Connector {
  const connector = connect(name, budget)
  answers[name] = () => Response.json({}, { status: 500 })
  const url = providers.at(-1)?.url ?? ''
  return {
    ...connector,
    async poll(polled, signal) {
      await callProvider({ provider: name, call: 'poll', url, method: 'GET', headers: {}, timeoutMs: 1_000, signal })
      return polled.map(() => ({ status: 'missing' }))
    },
  }
}
const askedOf = (index: number) => providers[index]?.asked.length ?? 0

beforeAll(async () => {
  database = await testDatabase(join(import.meta.dir, '../../migrations'))
  const wide = { perSecond: 10_000, atOnce: 100 }
  const connectors = [
    connect('busy', wide),
    connect('slow', { perSecond: 20, atOnce: 100 }),
    connect('dead', wide),
    connect('lost', wide),
    connectTold('told', wide),
  ]
  followUp = startFollowUp({
    sql: database.sql,
    log: testLog,
    routing: createRouting({ default: [], models: {} }, connectors),
    write: async () => true,
    health: { check: async () => undefined },
    now: () => new Date(),
    ...{ claimEveryMs: 10, pollsMax: 100, generationTimeoutMs: 600_000, overduePollMs: 60_000, absenceSightingsMin: 3 },
  } as unknown as FollowUpDeps)
})
afterAll(async () => {
  await followUp.stop()
  for (const provider of providers) provider.stop()
  await database.drop()
})

const fill = (provider: string, count: number) => fillAccepted(database.sql, provider, count)

test('a provider that says when to come again is asked nothing until then', async () => {
  await fill('busy', 3)
  await until('it is polled', () => askedOf(0) > 5)
  answers.busy = () => Response.json({}, { status: 429, headers: { 'retry-after': '1' } })
  await until(
    'it is held',
    async () => (await database.sql`select from provider_pace where provider = 'busy' and held_until > now()`).length === 1,
  )
  const { length } = providers[0]?.asked ?? []
  const since = performance.now()
  answers.busy = running
  await until('it is asked again', () => askedOf(0) > (length ?? 0) + 3)
  expect(performance.now() - since).toBeGreaterThan(700)
})

test('a provider’s second is what it is asked in one, however many wait', async () => {
  await fill('slow', 50)
  await until('its turns began', () => askedOf(1) > 0)
  const since = performance.now()
  await until('they are asked about', () => askedOf(1) >= 70)
  // A second's worth may come at once: the other fifty take two and a half.
  expect(performance.now() - since).toBeGreaterThan(2_000)
})

test('a provider that is out of order is hardly asked, and the others as before', async () => {
  answers.dead = () => new Response('gateway', { status: 502 })
  await fill('dead', 30)
  await until(
    'its breaker opens',
    async () => (await database.sql`select from provider_pace where provider = 'dead' and silent >= 20`).length === 1,
  )
  await until('what was under way is over', async () => {
    const before = askedOf(2)
    await Bun.sleep(100)
    return askedOf(2) === before
  })
  const [before, busy] = [askedOf(2), askedOf(0)]
  await until('the other goes on', () => askedOf(0) > busy + 20)
  expect(askedOf(2)).toBe(before)
  answers.dead = running
  await database.sql`update provider_pace set probe_at = now() where provider = 'dead'`
  await database.sql`update job set run_at = now() where fairness_key = 'dead'`
  await until(
    'it answers again',
    async () => (await database.sql`select from provider_pace where provider = 'dead' and silent = 0`).length === 1,
  )
})

test('a few that a provider never says anything of keep it from no other, however often they are asked about', async () => {
  answers.lost = () => Response.json({}, { status: 500 })
  await fill('lost', 5)
  await until('they are asked about again and again', () => askedOf(3) > 100)
  expect(await database.sql`select silent from provider_pace where provider = 'lost'`).toEqual([{ silent: 5 }] as never)
})

test('a poll that is told something keeps the breaker closed, whatever status it comes with', async () => {
  await fill('told', 40)
  await until('they are asked about again and again', () => askedOf(4) > 100)
  expect(await database.sql`select silent from provider_pace where provider = 'told'`).toEqual([{ silent: 0 }] as never)
})
