import { afterAll, expect, test } from 'bun:test'
import { expectEnded, post, prepare, unfinishedMax } from '../support/client/locked-account'
import { smallRequest } from '../support/client/request'
import { attemptsOf, audit, ledgerTask, operate } from '../support/operator/operator'
import { opsDone } from '../support/operator/ops'
import { forgetRequests, holdReplay, taskIdsOf } from '../support/servers/databases'
import { deleteRecords, type Topic, writtenTo } from '../support/servers/topic-records'
import { simulator } from '../support/simulator'
import { type Component, move } from '../support/stack'
import { until } from '../support/until'

const testTimeoutMs = 240_000
const gateways: Component[] = ['gateway', 'gateway-2']

const asJson = async (...words: string[]) => JSON.parse(await opsDone(...words, '--json'))
const each = async (parts: Component[], verb: 'kill' | 'start') => void (await Promise.all(parts.map(part => move(part, verb))))

/** Does `work`, and returns when that much more lies in the topic. */
async function untilWritten(topic: Topic, work: () => Promise<void>): Promise<void> {
  const before = await writtenTo(topic)
  await work()
  await until(`${unfinishedMax} records of ${topic}`, async () => (await writtenTo(topic)) >= before + unfinishedMax, 60_000)
}

const inAdmission: { lost: string; topic: Topic; stopped: Component; media?: boolean }[] = [
  { lost: 'GenerationRequested', topic: 'requests', stopped: 'ledger' },
  { lost: 'CreditsReserved', topic: 'credits', stopped: 'dispatcher' },
  { lost: 'CreditsReserved of media', topic: 'credits', stopped: 'media-probe', media: true },
  { lost: 'MediaVerified', topic: 'media', stopped: 'dispatcher', media: true },
]
for (const { lost, topic, stopped, media = false } of inAdmission)
  test(
    `${lost} lost while the ${stopped} was down: every task is made and paid for, by itself`,
    async () => {
      const work = await prepare({ media })
      await move(stopped, 'kill')
      let posted: Promise<string[]> = Promise.resolve([])
      await untilWritten(topic, async () => {
        posted = post(work)
      })
      await deleteRecords(topic)
      await move(stopped, 'start')
      expect(await expectEnded(work, await posted)).toEqual(Array(unfinishedMax).fill('completed'))
    },
    testTimeoutMs,
  )

test(
  'GenerationAccepted lost while the gateways were down: the client that asks again is answered, and the task is made once',
  async () => {
    const work = await prepare({ behaviour: { name: 'slow', delay_ms: 15_000 } })
    await move('dispatcher', 'kill')
    let posted: Promise<string[]> = Promise.resolve([])
    await untilWritten('credits', async () => {
      posted = post(work)
    })
    await each(gateways, 'kill')
    await untilWritten('generations', () => move('dispatcher', 'start'))
    await deleteRecords('generations')
    await each(gateways, 'start')
    expect(await expectEnded(work, await posted)).toEqual(Array(unfinishedMax).fill('completed'))
  },
  testTimeoutMs,
)

/** As an operator sees it, whose looks are not counted. */
const priceAtGateway = async (id: string) =>
  (await operate<{ task: { creditsUsed: number } }>('gateway', 'GET', `/tasks/${id}`)).task.creditsUsed

test(
  'CreditsReserved lost for the gateways alone: what was made and charged meanwhile is shown with its price and in the usage, by itself',
  async () => {
    const work = await prepare({ behaviour: { name: 'slow', delay_ms: 10_000 } })
    await move('ledger', 'kill')
    let posted: Promise<string[]> = Promise.resolve([])
    await untilWritten('requests', async () => {
      posted = post(work)
    })
    const taskIds = await taskIdsOf(work.account.accountId)
    await each(gateways, 'kill')
    await untilWritten('generations', () => move('ledger', 'start'))
    await deleteRecords('credits')
    await until('the settlements', async () => (await Promise.all(taskIds.map(closed))).every(Boolean), 60_000)
    // Replayed while the settlement isn't read yet, they would be healed like any other.
    await holdReplay(work.account.accountId, 30)
    await each(gateways, 'start')
    expect((await posted).toSorted()).toEqual(taskIds.toSorted())
    await until('the prices', async () => (await Promise.all(taskIds.map(priceAtGateway))).every(used => used > 0), 60_000)
    expect(await expectEnded(work, await posted)).toEqual(Array(unfinishedMax).fill('completed'))
    const usage = JSON.parse((await work.account.api.get('/usage')).text).data as { task_id: string; kind: string; credits: number }[]
    for (const id of taskIds)
      expect(usage.filter(({ task_id }) => task_id === id)).toMatchObject([{ kind: 'reservation', credits: -(await priceAtGateway(id)) }])
  },
  testTimeoutMs,
)

const ended = async (taskId: string, states: string[]) => states.includes((await attemptsOf(taskId)).at(-1)?.state ?? '')
const closed = async (taskId: string) => ['settled', 'refunded'].includes((await ledgerTask(taskId)).reservation?.state ?? '')
const atItsEnd: { lost: string; stopped: Component[]; topics: Topic[]; done: (taskId: string) => Promise<boolean> }[] = [
  { lost: 'the verdict', stopped: ['ledger'], topics: ['generations'], done: taskId => ended(taskId, ['completed', 'failed']) },
  { lost: 'the verdict and the settlement', stopped: gateways, topics: ['generations', 'credits'], done: closed },
]
for (const { lost, stopped, topics, done } of atItsEnd)
  for (const [behaviour, wanted] of [
    [{ name: 'slow', delay_ms: 6_000 }, 'completed'],
    [{ name: 'moderated', delay_ms: 6_000 }, 'failed'],
  ] as const)
    for (const healed of ['by itself', 'by ops task replay'] as const)
      test(
        `${lost} of what ${wanted} lost while ${stopped.join(' and ')} was down: each task ends as it was made, ${healed}`,
        async () => {
          const work = await prepare({ behaviour })
          const taskIds = await post(work)
          await each(stopped, 'kill')
          await until('the ends', async () => (await Promise.all(taskIds.map(done))).every(Boolean), 60_000)
          for (const topic of topics) await deleteRecords(topic)
          await each(stopped, 'start')
          if (healed === 'by ops task replay') for (const id of taskIds) await opsDone('task', 'replay', id)
          expect(await expectEnded(work, taskIds)).toEqual(Array(unfinishedMax).fill(wanted))
        },
        testTimeoutMs,
      )

test(
  'three orders whose requests were not kept lock their account until ops task release ends them: refunded, with who and why, and nothing is submitted',
  async () => {
    const work = await prepare()
    await move('dispatcher', 'kill')
    let posted: Promise<string[]> = Promise.resolve([])
    await untilWritten('credits', async () => {
      posted = post(work)
    })
    await deleteRecords('credits')
    await forgetRequests(work.account.accountId)
    const taskIds = await taskIdsOf(work.account.accountId)
    await move('dispatcher', 'start')
    const refused = await work.account.api.generate(smallRequest())
    expect(refused.body.error?.code).toBe('unfinished_task_limit')
    for (const id of taskIds) {
      const release = () => asJson('task', 'release', id, '--reason', 'its order was lost', '--by', 'ada')
      expect(await release()).toMatchObject({ done: 'refused at the dispatcher: its credits are returned', by: 'ada' })
      await until('the refund', () => closed(id))
      expect((await release()).done).toContain('nothing: the ledger has decided')
      expect(await asJson('task', 'show', id)).toMatchObject({ release: { reason: 'its order was lost', by: 'ada' } })
    }
    expect((await posted).toSorted()).toEqual(taskIds.toSorted())
    expect(await expectEnded(work, await posted)).toEqual(Array(unfinishedMax).fill('failed'))
    for (const { prompt } of work.jobs) expect(await simulator.submits(prompt)).toEqual([])
  },
  testTimeoutMs,
)

afterAll(async () => {
  expect(await audit()).toEqual([])
})
