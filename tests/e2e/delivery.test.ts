import { expect, test } from 'bun:test'
import { openAccount } from '../support/client/account'
import { ownWords } from '../support/client/request'
import { attemptsOf, audit, ledgerTask } from '../support/operator/operator'
import { type Behaviour, simulator } from '../support/simulator'

/** Five seconds of 720p at 15 credits a second, with or without sound. */
const asked = { model: 'delta-3.0', duration: 5, resolution: '720p', aspect_ratio: '16:9' }
const whole = { duration_ms: 5_000, width: 1280, height: 720, frame_rate: 24, video_codec: 'h264', has_audio: false, shortfalls: [] }

/** The task of such a request whose provider delivers it so, once it has ended. */
async function deliver(request: object, ...behaviours: Behaviour[]) {
  const { api } = await openAccount({ credits: 5_000 })
  const prompt = ownWords()
  if (behaviours.length > 0) await simulator.behave(prompt, behaviours)
  const reserved = (await api.generate({ ...asked, ...request, prompt })).body
  const task = await api.taskOnce(reserved.id, ({ billing_status: billing = '' }) => ['settled', 'refunded'].includes(billing))
  const [attempt] = await attemptsOf(task.id)
  return { api, task, reserved: reserved.credits_used, delivery: attempt?.delivery, due: attempt?.due_credits }
}

test('what was ordered is measured and costs what was reserved', async () => {
  const { api, task, reserved, delivery, due } = await deliver({})
  expect(task).toMatchObject({ status: 'completed', billing_status: 'settled', credits_used: reserved, credits_refunded: 0 })
  expect([delivery, due]).toEqual([whole, null])
  expect(await api.credits()).toBe(5_000 - reserved)
})

test.concurrent.each<[string, object, Behaviour, object, (reserved: number) => number]>([
  [
    'a second of five',
    {},
    { name: 'deliver_shorter' },
    { duration_ms: 1_000, shortfalls: ['duration'] },
    reserved => Math.ceil(reserved / 5),
  ],
  [
    'less than every class',
    { resolution: '1080p' },
    { name: 'deliver_smaller' },
    { width: 320, height: 180, shortfalls: ['resolution'] },
    reserved => (reserved * 6) / 8,
  ],
  [
    'silence where sound was ordered',
    { generate_audio: true },
    { name: 'deliver_silent' },
    { shortfalls: ['audio'] },
    reserved => (reserved * 6) / 8,
  ],
])('%s is delivered and settled at the price of what came, and the rest is back at once', async (_, request, behaviour, came, price) => {
  const { api, task, reserved, delivery, due } = await deliver(request, behaviour)
  expect(delivery).toEqual({ ...whole, ...came })
  const paid = due ?? 0
  expect(Math.abs(paid - price(reserved))).toBeLessThanOrEqual(1)
  expect(task).toMatchObject({ status: 'completed', billing_status: 'settled', credits_used: reserved, credits_refunded: reserved - paid })
  expect(await api.credits()).toBe(5_000 - paid)
  const { reservation, entries } = await ledgerTask(task.id)
  expect(reservation).toMatchObject({ state: 'settled', credits: reserved, refunded: reserved - paid })
  expect(entries.reduce((sum, { credits }) => sum + credits, 0)).toBe(0)
  expect(await audit()).toEqual([])
})

test('a file of its sound alone is no video: it fails, and all of it is refunded', async () => {
  const { api, task, reserved, delivery } = await deliver({}, { name: 'deliver_audio_only' })
  expect(task).toMatchObject({
    status: 'failed',
    billing_status: 'refunded',
    credits_refunded: reserved,
    error: { code: 'output_unavailable' },
  })
  expect(delivery).toBeNull()
  expect(await api.credits()).toBe(5_000)
  expect(await audit()).toEqual([])
})
