import { afterAll, expect, test } from 'bun:test'
import { expectEnded, type Jobs, post, prepare, unfinishedMax } from '../support/client/locked-account'
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

/** Does `work`, and returns when that many more records lie in each topic. */
async function untilWritten(topics: Topic[], count: number, work: () => Promise<void>): Promise<void> {
  const before = await Promise.all(topics.map(writtenTo))
  await work()
  const written = async () => (await Promise.all(topics.map(writtenTo))).every((now, index) => now >= (before[index] ?? 0) + count)
  await until(`${count} records of ${topics.join(' and ')}`, written, 60_000)
}

/** They last until they are released: what has to happen while they run is waited for, however long it takes. */
const untilReleased = { delay_ms: 3_600_000 }

const release = ({ jobs }: Jobs) =>
  Promise.all(jobs.map(async ({ prompt }) => simulator.release((await simulator.submits(prompt))[0]?.generation_id ?? '')))

const inAdmission: { stopped: Component; lost: { event: string; topic: Topic; media: boolean }[] }[] = [
  { stopped: 'ledger', lost: [{ event: 'GenerationRequested', topic: 'requests', media: false }] },
  { stopped: 'media-probe', lost: [{ event: 'CreditsReserved of media', topic: 'credits', media: true }] },
  {
    stopped: 'dispatcher',
    lost: [
      { event: 'CreditsReserved', topic: 'credits', media: false },
      { event: 'MediaVerified', topic: 'media', media: true },
    ],
  },
]
for (const { stopped, lost } of inAdmission)
  test(
    `${lost.map(({ event }) => event).join(' and ')} lost while the ${stopped} was down: every task is made and paid for, by itself`,
    async () => {
      const works = await Promise.all(lost.map(({ media }) => prepare({ media })))
      const topics = lost.map(({ topic }) => topic)
      await move(stopped, 'kill')
      let posted: Promise<string[]>[] = []
      await untilWritten(topics, unfinishedMax, async () => {
        posted = works.map(post)
      })
      await Promise.all(topics.map(deleteRecords))
      await move(stopped, 'start')
      const ends = works.map(async (work, index) => expectEnded(work, (await posted[index]) ?? []))
      expect((await Promise.all(ends)).flat()).toEqual(Array(works.length * unfinishedMax).fill('completed'))
    },
    testTimeoutMs,
  )

test(
  'GenerationAccepted lost while the gateways were down: the client that asks again is answered, and the task is made once',
  async () => {
    const work = await prepare({ behaviour: { name: 'slow', ...untilReleased } })
    await move('dispatcher', 'kill')
    let posted: Promise<string[]> = Promise.resolve([])
    await untilWritten(['credits'], unfinishedMax, async () => {
      posted = post(work)
    })
    await each(gateways, 'kill')
    await untilWritten(['generations'], unfinishedMax, () => move('dispatcher', 'start'))
    await deleteRecords('generations')
    await each(gateways, 'start')
    const taskIds = await posted
    await release(work)
    expect(await expectEnded(work, taskIds)).toEqual(Array(unfinishedMax).fill('completed'))
  },
  testTimeoutMs,
)

type GatewayTask = { creditsUsed: number; billingStatus: string }
/** As an operator sees it, whose looks are not counted. */
const taskAtGateway = async (id: string) => (await operate<{ task: GatewayTask }>('gateway', 'GET', `/tasks/${id}`)).task

test(
  'CreditsReserved lost for the gateways alone: what was made and charged meanwhile is shown with its price and in the usage, by itself',
  async () => {
    const work = await prepare({ behaviour: { name: 'slow', ...untilReleased } })
    await move('ledger', 'kill')
    let posted: Promise<string[]> = Promise.resolve([])
    await untilWritten(['requests'], unfinishedMax, async () => {
      posted = post(work)
    })
    const taskIds = await taskIdsOf(work.account.accountId)
    await each(gateways, 'kill')
    await move('ledger', 'start')
    // Records of `generations` would not tell: one task has several.
    await until('the attempts', async () => (await Promise.all(taskIds.map(isSent))).every(Boolean), 60_000)
    await deleteRecords('credits')
    await release(work)
    await until('the settlements', async () => (await Promise.all(taskIds.map(closed))).every(Boolean), 60_000)
    // Replayed while the settlement isn't read yet, they would be healed like any other.
    await holdReplay(work.account.accountId, 600)
    await each(gateways, 'start')
    const isRead = ({ billingStatus, creditsUsed }: GatewayTask) => billingStatus === 'settled' && creditsUsed === 0
    await until('settlements without prices', async () => (await Promise.all(taskIds.map(taskAtGateway))).every(isRead), 60_000)
    await holdReplay(work.account.accountId, 0)
    expect((await posted).toSorted()).toEqual(taskIds.toSorted())
    const isPriced = ({ creditsUsed }: GatewayTask) => creditsUsed > 0
    await until('the prices', async () => (await Promise.all(taskIds.map(taskAtGateway))).every(isPriced), 60_000)
    expect(await expectEnded(work, await posted)).toEqual(Array(unfinishedMax).fill('completed'))
    const usage = JSON.parse((await work.account.api.get('/usage')).text).data as { task_id: string; kind: string; credits: number }[]
    for (const id of taskIds) {
      const credits = -(await taskAtGateway(id)).creditsUsed
      expect(usage.filter(({ task_id }) => task_id === id)).toMatchObject([{ kind: 'reservation', credits }])
    }
  },
  testTimeoutMs,
)

const ended = async (taskId: string, states: string[]) => states.includes((await attemptsOf(taskId)).at(-1)?.state ?? '')
/** Before its first attempt the dispatcher knows nothing of a task. */
const isSent = (taskId: string) => ended(taskId, ['accepted']).catch(() => false)
const closed = async (taskId: string) => ['settled', 'refunded'].includes((await ledgerTask(taskId)).reservation?.state ?? '')
const atItsEnd: { lost: string; stopped: Component[]; topics: Topic[]; done: (taskId: string) => Promise<boolean> }[] = [
  { lost: 'the verdict', stopped: ['ledger'], topics: ['generations'], done: taskId => ended(taskId, ['completed', 'failed']) },
  { lost: 'the verdict and the settlement', stopped: gateways, topics: ['generations', 'credits'], done: closed },
]
/** An account each. */
const ends = (['by itself', 'by ops task replay'] as const).flatMap(healed => [
  { healed, behaviour: { name: 'slow', ...untilReleased }, status: 'completed' },
  { healed, behaviour: { name: 'moderated', ...untilReleased }, status: 'failed' },
])
for (const { lost, stopped, topics, done } of atItsEnd)
  test(
    `${lost} lost while ${stopped.join(' and ')} was down: what completed and what failed ends as it was made, by itself or by ops task replay`,
    async () => {
      const works = await Promise.all(
        ends.map(async end => {
          const work = await prepare({ behaviour: end.behaviour })
          const taskIds = await post(work)
          // Replayed by itself meanwhile, it would be healed without its operator.
          if (end.healed === 'by ops task replay') await holdReplay(work.account.accountId, 600)
          return { ...end, work, taskIds }
        }),
      )
      const taskIds = works.flatMap(work => work.taskIds)
      const byOps = works.filter(({ healed }) => healed === 'by ops task replay')
      await each(stopped, 'kill')
      await Promise.all(works.map(({ work }) => release(work)))
      await until('the ends', async () => (await Promise.all(taskIds.map(done))).every(Boolean), 60_000)
      for (const topic of topics) await deleteRecords(topic)
      await each(stopped, 'start')
      await Promise.all(byOps.flatMap(work => work.taskIds.map(id => opsDone('task', 'replay', id))))
      const seen = works.map(async ({ healed, work, ...own }) => ({ healed, statuses: await expectEnded(work, own.taskIds) }))
      expect(await Promise.all(seen)).toEqual(ends.map(({ healed, status }) => ({ healed, statuses: Array(unfinishedMax).fill(status) })))
    },
    testTimeoutMs,
  )

test(
  'three orders whose requests were not kept lock their account until ops task release ends them: refunded, with who and why, and nothing is submitted',
  async () => {
    const work = await prepare()
    await move('dispatcher', 'kill')
    let posted: Promise<string[]> = Promise.resolve([])
    await untilWritten(['credits'], unfinishedMax, async () => {
      posted = post(work)
    })
    await deleteRecords('credits')
    await forgetRequests(work.account.accountId)
    const taskIds = await taskIdsOf(work.account.accountId)
    await move('dispatcher', 'start')
    const refused = await work.account.api.generate(smallRequest())
    expect(refused.body.error?.code).toBe('unfinished_task_limit')
    const endByRelease = async (id: string) => {
      const releaseTask = () => asJson('task', 'release', id, '--reason', 'its order was lost', '--by', 'ada')
      expect(await releaseTask()).toMatchObject({ done: 'refused at the dispatcher: its credits are returned', by: 'ada' })
      await until('the refund', () => closed(id))
      expect((await releaseTask()).done).toContain('nothing: the ledger has decided')
      expect(await asJson('task', 'show', id)).toMatchObject({ release: { reason: 'its order was lost', by: 'ada' } })
    }
    await Promise.all(taskIds.map(endByRelease))
    expect((await posted).toSorted()).toEqual(taskIds.toSorted())
    expect(await expectEnded(work, await posted)).toEqual(Array(unfinishedMax).fill('failed'))
    for (const { prompt } of work.jobs) expect(await simulator.submits(prompt)).toEqual([])
  },
  testTimeoutMs,
)

afterAll(async () => {
  expect(await audit()).toEqual([])
})
