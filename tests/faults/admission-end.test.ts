import { afterAll, beforeAll, expect, test } from 'bun:test'
import { openAccount } from '../support/client/account'
import { createApi } from '../support/client/api'
import { expectError, retryAfterSeconds } from '../support/client/errors'
import { ownWords, smallRequest } from '../support/client/request'
import { sampleMedia } from '../support/client/sample-media'
import { generateStubbornly, taskEnd } from '../support/client/stubborn-client'
import { audit, ledgerTask } from '../support/operator/operator'
import { passHours, taskIdsOf } from '../support/servers/databases'
import { type OwnGateway, startOwnGateway } from '../support/servers/own-services'
import { simulator } from '../support/simulator'
import { without } from '../support/stack'
import { timed, until } from '../support/until'

const credits = 1_000
const testTimeoutMs = 180_000
/** Two seconds for the 250 that are in force: nothing else of the gateway is another. */
const admissionMs = 2_000
/** From the end of the wait to the answer: one look at the row. */
const answerMsMax = 15_000
/** What a retry past admit_by is held for. */
const lateWaitMs = 5_000

let gateway: OwnGateway
beforeAll(async () => {
  gateway = await startOwnGateway({ FILMGATE_ADMISSION_TIMEOUT_MS: String(admissionMs) })
}, 60_000)
afterAll(async () => {
  await gateway?.stop()
  expect(await audit()).toEqual([])
})

async function newClient() {
  const { api, apiKey } = await openAccount({ credits })
  return { api, hasty: createApi(apiKey, gateway.url) }
}

/** Refused with this code when the time is over and no sooner; returns the details. */
async function expectTimedOut(
  posting: ReturnType<typeof timed<Awaited<ReturnType<ReturnType<typeof createApi>['generate']>>>>,
  code: string,
) {
  const { answer, ms } = await posting
  const details = expectError(answer, 503, code)
  retryAfterSeconds(answer)
  expect(ms).toBeGreaterThanOrEqual(admissionMs)
  expect(ms).toBeLessThan(admissionMs + answerMsMax)
  return details
}

test(
  'no ledger until admission ends: 503 without a task, never charged when it returns, and the key is free for a new one',
  async () => {
    const { api, hasty } = await newClient()
    const [prompt, idempotencyKey] = [ownWords(), crypto.randomUUID()]
    await simulator.behave(prompt, [{ name: 'instant' }])
    const body = smallRequest({ prompt })
    await without('ledger', 'stop', async () => {
      expect(await expectTimedOut(timed(hasty.generate(body, { idempotencyKey })), 'service_unavailable')).toEqual({})
      // Until it is declined the key is the first one's: the retry waits for the same outcome.
      expect(await expectTimedOut(timed(hasty.generate(body, { idempotencyKey })), 'service_unavailable')).toEqual({})
      expectError(await hasty.generate({ ...body, duration: 2 }, { idempotencyKey }), 409, 'idempotency_key_reused')
      expect([await api.credits(), JSON.parse((await api.get('/tasks')).text).data]).toEqual([credits, []])
    })
    const taskId = await generateStubbornly(api, body, { idempotencyKey })
    const task = await taskEnd(api, taskId)
    expect(task).toMatchObject({ status: 'completed', billing_status: 'settled' })
    expect(await api.credits()).toBe(credits - task.credits_used)
    expect(JSON.parse((await api.get('/tasks')).text).data).toHaveLength(1)
    expect(await simulator.submits(prompt)).toHaveLength(1)
  },
  testTimeoutMs,
)

for (const [part, media] of [
  ['dispatcher', false],
  ['media-probe', true],
] as const)
  test(
    `no ${part} until admission ends: 503 with the task, whose credits come back when it returns, and no provider is ever asked`,
    async () => {
      const { api, hasty } = await newClient()
      const [prompt, idempotencyKey] = [ownWords(), crypto.randomUUID()]
      const frames = { mode: 'image-to-video', image_url: sampleMedia('first.jpg'), end_image_url: sampleMedia('last.jpg') }
      const body = smallRequest({ prompt, ...(media && frames) })
      const taskId = await without(part, 'stop', async () => {
        const details = await expectTimedOut(timed(hasty.generate(body, { idempotencyKey })), 'acceptance_uncertain')
        expect(Object.keys(details)).toEqual(['task_id'])
        const { body: running } = await api.task(String(details.task_id))
        expect(running).toMatchObject({ status: 'processing', billing_status: 'reserved', credits_refunded: 0 })
        expect(await api.credits()).toBe(credits - running.credits_used)
        return running.id
      })
      const task = await taskEnd(api, taskId)
      expect(task).toMatchObject({ status: 'failed', billing_status: 'refunded', credits_refunded: task.credits_used })
      expect(task.error?.code).toBe('generation_unavailable')
      const replay = await hasty.generate(body, { idempotencyKey })
      expect([replay.status, replay.body]).toEqual([200, task])
      expect(await api.credits()).toBe(credits)
      expect((await ledgerTask(taskId)).reservation).toMatchObject({ state: 'refunded', refunded: task.credits_used })
      expect(await simulator.submits(prompt)).toEqual([])
    },
    testTimeoutMs,
  )

test(
  'a retry of a key whose admission is over is held for moments and not for another 250 s, and has the task once it is made after all',
  async () => {
    const { api, accountId } = await openAccount({ credits })
    const [body, idempotencyKey] = [smallRequest(), crypto.randomUUID()]
    await without('dispatcher', 'stop', async () => {
      await api.generate(body, { idempotencyKey, timeoutMs: 1_000 }).catch(() => {})
      const [taskId = ''] = await until('the task', async () => (await taskIdsOf(accountId)).length > 0 && taskIdsOf(accountId))
      await passHours.ofAdmission(taskId, 1)
      const { answer, ms } = await timed(api.generate(body, { idempotencyKey, timeoutMs: 60_000 }))
      expect(expectError(answer, 503, 'acceptance_uncertain')).toEqual({ task_id: taskId })
      expect(ms).toBeGreaterThanOrEqual(lateWaitMs)
      expect(ms).toBeLessThan(lateWaitMs + answerMsMax)
    })
    const replay = await api.generate(body, { idempotencyKey })
    expect(replay.status).toBe(200)
    expect(await taskEnd(api, replay.body.id)).toMatchObject({ status: 'completed', billing_status: 'settled' })
  },
  testTimeoutMs,
)
