import { afterAll, expect, test } from 'bun:test'
import { openAccount } from '../support/account'
import type { Answer } from '../support/api'
import { expectError, retryAfterSeconds } from '../support/errors'
import { audit, ledgerTask } from '../support/operator'
import { ownWords, smallRequest } from '../support/request'
import { sampleMedia } from '../support/sample-media'
import { simulator } from '../support/simulator'
import { without } from '../support/stack'
import { taskEnd } from '../support/stubborn-client'

const credits = 1_000
const testTimeoutMs = 500_000
/** Longer than the tries of one admission take. */
const answerTimeoutMs = 280_000

async function newRequest(url: string) {
  const { api } = await openAccount({ credits })
  const prompt = ownWords()
  await simulator.behave(prompt, [{ name: 'instant' }])
  const request = smallRequest({ prompt, mode: 'image-to-video', image_url: url, end_image_url: url })
  const idempotencyKey = crypto.randomUUID()
  return { api, prompt, generate: () => api.generate(request, { idempotencyKey, timeoutMs: answerTimeoutMs }) }
}
type Asked = Awaited<ReturnType<typeof newRequest>>

/** 503 in our words, the task failed and refunded; returns its id. */
async function expectOwnFault({ api }: Asked, answer: Answer): Promise<string> {
  const { task_id: taskId, ...others } = expectError(answer, 503, 'generation_unavailable')
  retryAfterSeconds(answer)
  expect(others).toEqual({})
  expect(answer.body.error?.message).toBe(
    'A fault of ours kept the media from being checked. Nothing was charged. Retry with the same Idempotency-Key.',
  )
  const task = await taskEnd(api, String(taskId))
  expect(task).toMatchObject({ status: 'failed', billing_status: 'refunded', error: { code: 'generation_unavailable' } })
  expect((await ledgerTask(task.id)).reservation).toMatchObject({ state: 'refunded', refunded: task.credits_used })
  expect(await api.credits()).toBe(credits)
  return task.id
}

test(
  'our storage gone while media are checked: 503 after a refund, and the same key makes the video once it is back',
  async () => {
    const asked = await newRequest(sampleMedia('first.jpg'))
    const failedId = await without('s3', 'stop', async () => expectOwnFault(asked, await asked.generate()))
    const again = await asked.generate()
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([202, null])
    expect(again.body.id).not.toBe(failedId)
    const task = await taskEnd(asked.api, again.body.id)
    expect(task).toMatchObject({ status: 'completed', billing_status: 'settled' })
    expect(await asked.api.credits()).toBe(credits - task.credits_used)
    expect(await simulator.submits(asked.prompt)).toHaveLength(1)
    expect((await asked.generate()).body.id).toBe(again.body.id)
  },
  testTimeoutMs,
)

afterAll(async () => {
  expect(await audit()).toEqual([])
})
