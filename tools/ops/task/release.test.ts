import { expect, test } from 'bun:test'
import { Attempt } from '@filmgate/proto/operator/attempt'
import { Declined, Reservation } from '@filmgate/proto/operator/books'
import { GatewayTask } from '@filmgate/proto/operator/task'
import { Value } from '@sinclair/typebox/value'
import { OpsFault } from '../fault'
import type { Call, Json } from '../operator-api'
import type { Service } from '../settings'
import { taskRelease } from './release'
import { taskReplay } from './task'

type Views = Partial<Record<Service, Json | 'silent'>>
const task = { ...Value.Create(GatewayTask).task, accountId: 'a', model: 'alpha-h3', admitBy: '2026-01-01T00:00:00.000Z' }
const requested = { task, events: [], acts: [] } as Json
const books = { reservation: null, declined: null, release: null, entries: [], contradictions: [] }
const reserved = (state: string) => ({ ...books, reservation: { ...Value.Create(Reservation), state, account_id: 'a' } }) as Json
const attempt = (state: string) => ({ attempts: [{ ...Value.Create(Attempt), state }], review_decisions: [], release: null }) as Json
const release = { taskId: 't', reason: 'lost', by: 'ada' }

/** Services that know this of the task; what is posted to them is kept. */
function services(views: Views) {
  const posted: [string, string, Json | undefined][] = []
  const call: Call = async (service, method, path, body) => {
    const known = views[service]
    if (known === 'silent') throw new OpsFault(`The ${service} doesn't answer.`)
    if (known === undefined && !path.endsWith('/release')) throw new OpsFault(`The ${service} refused: 404`, 404)
    if (method === 'GET') return known ?? null
    posted.push([service, path, body])
    return { published: [`by ${service}`] }
  }
  return { call, posted }
}

test('a task without a reservation is declined at the ledger, whose request may come after all', async () => {
  const { call, posted } = services({ gateway: requested })
  expect(await taskRelease(call, release)).toMatchObject({ by: 'ada', reason: 'lost', published: ['by ledger'] })
  expect(posted).toEqual([['ledger', '/tasks/t/release', { account_id: 'a', admit_by: task.admitBy, reason: 'lost', by: 'ada' }]])
})

test('a task with a reservation and no attempt is refused at the dispatcher', async () => {
  const { call, posted } = services({ gateway: requested, ledger: reserved('reserved'), dispatcher: attempt('refused') })
  await taskRelease(call, release)
  expect(posted).toEqual([['dispatcher', '/tasks/t/release', { account_id: 'a', model: 'alpha-h3', reason: 'lost', by: 'ada' }]])
})

for (const [what, views] of [
  ['settled', { gateway: requested, ledger: reserved('settled'), dispatcher: attempt('completed') }],
  ['refunded', { gateway: requested, ledger: reserved('refunded') }],
  ['declined', { gateway: requested, ledger: { ...books, declined: Value.Create(Declined) } as Json }],
  ['made and not settled', { gateway: requested, ledger: reserved('reserved'), dispatcher: attempt('completed') }],
] as const)
  test(`a task that is ${what} is replayed and not ended`, async () => {
    const { call, posted } = services(views)
    await taskRelease(call, release)
    expect(new Set(posted.map(([, path]) => path))).toEqual(new Set(['/tasks/t/replay']))
  })

for (const silent of ['gateway', 'ledger', 'dispatcher'] as const)
  test(`while the ${silent} is silent nothing is done`, async () => {
    const { call, posted } = services({
      gateway: requested,
      ledger: reserved('reserved'),
      dispatcher: attempt('refused'),
      [silent]: 'silent',
    })
    await expect(taskRelease(call, release)).rejects.toThrow(`Nothing was done. The ${silent} doesn't answer.`)
    expect(posted).toEqual([])
  })

test('a replay goes through the services in the order of the pipeline, and names one that does not answer', async () => {
  const { call } = services({ gateway: requested, ledger: reserved('reserved'), 'media-probe': 'silent' })
  expect(await taskReplay(call, { taskId: 't' })).toEqual([
    { service: 'gateway', published: 'by gateway' },
    { service: 'ledger', published: 'by ledger' },
    { service: 'media-probe', published: "(no answer) The media-probe doesn't answer." },
    { service: 'dispatcher', published: '(does not know the task)' },
  ])
  await expect(taskReplay(services({}).call, { taskId: 't' })).rejects.toThrow('No service knows t.')
})
