import { afterAll, beforeAll, expect, test } from 'bun:test'
import { openAccount } from '../support/client/account'
import { ownWords, smallRequest } from '../support/client/request'
import { buyShownVideo } from '../support/client/shown-video'
import { taskEnd } from '../support/client/stubborn-client'
import { askOperator, audit, ledgerTask } from '../support/operator/operator'
import { ops, opsDone } from '../support/operator/ops'
import { type Behaviour, simulator } from '../support/simulator'
import { until } from '../support/until'

const credits = 1_000
const timeoutMs = 120_000
const testTimeoutMs = 300_000

beforeAll(buyShownVideo)

/** A task of an account of its own that its provider treats like this. */
async function buy(...behaviours: Behaviour[]) {
  const { api } = await openAccount({ credits })
  const prompt = ownWords()
  await simulator.behave(prompt, behaviours)
  const { body } = await api.generate(smallRequest({ prompt }))
  const taskId = body.id ?? body.error?.details?.task_id ?? ''
  const held = () => api.taskOnce(taskId, ({ billing_status }) => billing_status === 'review', timeoutMs)
  const providerTaskId = async () => (await simulator.submits(prompt))[0]?.generation_id ?? ''
  return { api, taskId, held, providerTaskId, end: () => taskEnd(api, taskId, timeoutMs) }
}

test(
  'a provider that answers empty to everything: nothing is refunded, all are held, and each ends once, by itself or by its operator',
  async () => {
    const instant = { name: 'instant' }
    const running = await Promise.all([1, 2, 3].map(() => buy({ name: 'slow', delay_ms: 4_000 }, instant)))
    const [known, given] = await Promise.all([buy({ name: 'never_finishes' }, instant), buy({ name: 'never_finishes' }, instant)])
    await simulator.show('nothing')
    const [lost, never] = await Promise.all([buy({ name: 'accept_then_drop' }, instant), buy({ name: 'drop_before_accept' })])
    const all = [...running, known, given, lost, never]
    for (const { held } of all) expect(await held()).toMatchObject({ status: 'processing', credits_refunded: 0, error: null })
    for (const { taskId } of all) expect((await ledgerTask(taskId)).reservation).toMatchObject({ state: 'review', refunded: 0 })

    // Meanwhile no id can be given either: the provider is asked for it.
    const early = await ops('review', 'accept', known.taskId, '--provider-task-id', await known.providerTaskId(), '--reason', 'from memory')
    expect([early.exitCode, early.stderr]).toEqual([1, expect.stringContaining('provider_task_id_unknown')])

    await simulator.show('all')
    const list = await opsDone('review', 'list')
    expect([known, given].filter(({ taskId }) => !list.includes(taskId))).toEqual([])
    const swapped = await ops('review', 'accept', known.taskId, '--provider-task-id', await given.providerTaskId(), '--reason', 'a slip')
    expect([swapped.exitCode, swapped.stderr]).toEqual([1, expect.stringContaining('provider_task_id_taken')])
    await opsDone('review', 'accept', known.taskId, '--provider-task-id', await known.providerTaskId(), '--reason', 'seen in its console')
    await simulator.release(await known.providerTaskId())
    await opsDone('review', 'refund', given.taskId, '--reason', 'the provider says that it never will')

    for (const { end, api } of [...running, known, lost]) {
      const task = await end()
      expect(task).toMatchObject({ status: 'completed', billing_status: 'settled', credits_refunded: 0 })
      expect(await api.credits()).toBe(credits - task.credits_used)
    }
    for (const { end, api } of [given, never]) {
      expect(await end()).toMatchObject({ status: 'failed', billing_status: 'refunded' })
      expect(await api.credits()).toBe(credits)
    }
  },
  testTimeoutMs,
)

type ProviderRow = { provider: string; absences: string; health: string; closing: { reason: string; by: string; in_force: boolean } | null }
const providerRow = async () =>
  (JSON.parse(await opsDone('provider', 'list', '--json')) as ProviderRow[]).find(({ provider }) => provider === 'simulator')

test(
  'a provider that has lost everything: held until an operator says so by ops provider close, with who and why; then refunded by itself',
  async () => {
    await buyShownVideo()
    await simulator.show('nothing')
    const { held, end, api } = await buy({ name: 'drop_before_accept' })
    await held()
    await until('the breaker', async () => (await providerRow())?.absences === 'held', timeoutMs)
    // What else is running at the provider is missing too: many at once, where other tests left some.
    expect(['suspended_none_known', 'suspended_many_missing']).toContain((await providerRow())?.health ?? '')
    await opsDone('provider', 'close', 'simulator', '--reason', 'its support confirms the loss', '--minutes', '1', '--by', 'ada')
    expect(await end()).toMatchObject({ status: 'failed', billing_status: 'refunded', error: { code: 'generation_unavailable' } })
    expect(await api.credits()).toBe(credits)
    expect(await providerRow()).toMatchObject({ closing: { reason: 'its support confirms the loss', by: 'ada' } })
    expect((await askOperator('dispatcher', 'POST', '/providers/simulator/close', { reason: 'r', minutes: 1_441 })).status).toBe(400)
  },
  testTimeoutMs,
)

afterAll(async () => {
  await simulator.show('all')
  expect(await audit()).toEqual([])
})
