import { afterAll, expect, test } from 'bun:test'
import { openAccount } from '../support/account'
import { audit, ledgerTask, operate } from '../support/operator'
import { opsDone } from '../support/ops'
import { ownWords, smallRequest } from '../support/request'
import { type Behaviour, simulator } from '../support/simulator'
import { without } from '../support/stack'
import { taskEnd } from '../support/stubborn-client'
import { until } from '../support/until'

const credits = 1_000
const patienceMs = 120_000
const testTimeoutMs = 300_000

const instant = { name: 'instant' }
/** Names that our DNS has no answer for; FILMGATE_OUTPUT_RETRY_FOR_MS of tests/stack.env is over long before they have one. */
const unresolvable = { name: 'output_elsewhere', origin: 'https://no-such-host.invalid', delay_ms: 30_000 }

async function buy(...behaviours: Behaviour[]) {
  const { api } = await openAccount({ credits })
  const prompt = ownWords()
  await simulator.behave(prompt, [...behaviours, instant])
  const { status, body } = await api.generate(smallRequest({ prompt }))
  expect(status).toBe(202)
  return { api, prompt, taskId: body.id }
}

const attemptsInReview = async () =>
  (await operate<{ data: { task_id: string }[] }>('dispatcher', 'GET', '/reviews')).data.map(({ task_id }) => task_id)

test(
  'DNS, egress and S3 of ours gone with videos waiting: no refund, all completed afterwards, and what no way leads to ends by its operator',
  async () => {
    const nameless = await Promise.all([1, 2].map(() => buy(unresolvable)))
    const waiting = await Promise.all([1, 2, 3].map(() => buy({ name: 'slow', delay_ms: 2_500 })))
    const unreachable = await buy({ name: 'output_status', status: 503 })
    const all = [...nameless, ...waiting, unreachable]
    const held = async ({ taskId }: { taskId: string }) => (await ledgerTask(taskId)).reservation?.state === 'review'
    await without('s3', 'stop', async () => {
      // Polls and outputs hang together, as behind a gateway of ours that swallows packets.
      await without('simulator', 'pause', () => Bun.sleep(4_000))
      for (const one of all) await until('it is held', () => held(one), patienceMs)
    })
    for (const { api, taskId } of all) {
      const { body } = await api.task(taskId)
      expect(body).toMatchObject({ credits_refunded: 0, error: null })
      if (body.billing_status === 'review') expect(body).toMatchObject({ status: 'processing', output: null })
    }
    // Tried on by themselves in review; one has nothing to be had, and its operator has it tried anew, then gives it up.
    await opsDone('review', 'retry', unreachable.taskId, '--reason', 'the way there is mended')
    for (const { api, prompt, taskId } of [...nameless, ...waiting]) {
      const task = await taskEnd(api, taskId, patienceMs)
      expect(task).toMatchObject({ status: 'completed', billing_status: 'settled', credits_refunded: 0 })
      expect(await api.credits()).toBe(credits - task.credits_used)
      expect((await fetch(task.output?.video_url ?? '')).status).toBe(200)
      expect(await simulator.submits(prompt)).toHaveLength(1)
    }
    expect(await opsDone('review', 'list', '--json')).toContain(unreachable.taskId)
    await until('its copy is held again', async () => (await attemptsInReview()).includes(unreachable.taskId), patienceMs)
    await opsDone('review', 'refund', unreachable.taskId, '--reason', 'the maker has lost the file')
    expect(await taskEnd(unreachable.api, unreachable.taskId)).toMatchObject({ status: 'failed', error: { code: 'output_unavailable' } })
    expect(await unreachable.api.credits()).toBe(credits)
  },
  testTimeoutMs,
)

afterAll(async () => {
  expect(await audit()).toEqual([])
})
