import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createSocket } from 'node:dgram'
import { createServer } from 'node:net'
import { openAccount } from '../support/client/account'
import { type Answer, createApi } from '../support/client/api'
import { expectError, retryAfterSeconds } from '../support/client/errors'
import { ownWords, smallRequest } from '../support/client/request'
import { sampleMedia } from '../support/client/sample-media'
import { taskEnd } from '../support/client/stubborn-client'
import { audit, ledgerTask } from '../support/operator/operator'
import { scrape } from '../support/servers/metrics'
import { type OwnGateway, startOwnGateway, startOwnProbe } from '../support/servers/own-services'
import { settings } from '../support/settings'
import { type Behaviour, simulator } from '../support/simulator'
import { move, without } from '../support/stack'
import { until } from '../support/until'

const credits = 1_000
/** For the 250 s that are in force: media are tried again until 15 s before its end. */
const admissionMs = 20_000
const answerTimeoutMs = 60_000

let gateway: OwnGateway
beforeAll(async () => {
  gateway = await startOwnGateway({ FILMGATE_ADMISSION_TIMEOUT_MS: String(admissionMs) })
})

type Behaviours = { behaviours: Behaviour[]; times?: number }

async function newRequest(url: string, { behaviours, times }: Behaviours = { behaviours: [{ name: 'instant' }] }) {
  const { api, apiKey } = await openAccount({ credits })
  const atOwnGateway = createApi(apiKey, gateway.url)
  const prompt = ownWords()
  const { id: behaviourId } = await simulator.behave(prompt, behaviours, times)
  const request = smallRequest({ prompt, mode: 'image-to-video', image_url: url, end_image_url: url })
  const options = { idempotencyKey: crypto.randomUUID(), timeoutMs: answerTimeoutMs }
  const [generate, generateAtStack] = [atOwnGateway, api].map(client => () => client.generate(request, options)) as [Generate, Generate]
  return { api, prompt, behaviourId, generate, generateAtStack }
}
type Generate = () => Promise<Answer>
type NewRequest = Awaited<ReturnType<typeof newRequest>>

/** 503 in our words, the task failed and refunded, after more than one run at its media; returns its id. */
async function expectOwnFault({ api }: NewRequest, part: string, answer: Answer): Promise<string> {
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
  expect(await failedRuns(part)).toBeGreaterThan(1)
  return task.id
}

async function failedRuns(part: string): Promise<number> {
  const samples = await scrape(`${settings.serviceUrls['media-probe']}/metrics`)
  return samples.find(({ metric, labels }) => metric === 'probe_runs_failed_total' && labels.part === part)?.value ?? Number.NaN
}

/** Polls in which the provider said that it gave up for want of our copies. */
async function unreadPolls(): Promise<number> {
  const samples = await scrape(`${settings.serviceUrls.dispatcher}/metrics`)
  return samples.find(({ metric, labels }) => metric === 'provider_polls_total' && labels.status === 'inputs-unread')?.value ?? 0
}

async function expectVideo({ api, prompt }: NewRequest, answer: Answer): Promise<string> {
  expect([answer.status, answer.headers.get('idempotent-replayed')]).toEqual([202, null])
  const task = await taskEnd(api, answer.body.id)
  expect(task).toMatchObject({ status: 'completed', billing_status: 'settled' })
  expect(await api.credits()).toBe(credits - task.credits_used)
  expect(await simulator.submits(prompt)).toHaveLength(1)
  return task.id
}

test('our storage gone: who can wait has the video, whose admission ends is told 503 and makes it under the same key, and what a provider reads is sent again', async () => {
  const [hasty, lasting] = await Promise.all([newRequest(sampleMedia('first.jpg')), newRequest(sampleMedia('second.jpg'))])
  const read = await newRequest(sampleMedia('fourth.jpg'), { behaviours: [{ name: 'slow', delay_ms: 3_600_000 }], times: 1 })
  const accepted = await read.generateAtStack()
  expect(accepted.status).toBe(202)
  const [first] = await simulator.submits(read.prompt)
  const { failedId, waiting } = await without('s3', 'stop', async () => {
    const failedId = await expectOwnFault(hasty, 'store', await hasty.generate())
    // These two come late: what has been tried for long is tried again after long.
    const before = { runs: await failedRuns('store'), polls: await unreadPolls() }
    const waiting = lasting.generateAtStack()
    await simulator.release(String(first?.generation_id))
    await until('a run to fail', async () => (await failedRuns('store')) > before.runs)
    await until('the provider to give up', async () => (await unreadPolls()) > before.polls + 1)
    expect(await read.api.task(accepted.body.id)).toMatchObject({ body: { status: 'processing', billing_status: 'reserved' } })
    return { failedId, waiting }
  })
  await expectVideo(lasting, await waiting)

  const again = await hasty.generateAtStack()
  expect(await expectVideo(hasty, again)).not.toBe(failedId)
  expect((await hasty.generateAtStack()).body.id).toBe(again.body.id)

  const task = await taskEnd(read.api, accepted.body.id)
  expect(task).toMatchObject({ status: 'completed', billing_status: 'settled' })
  expect(await read.api.credits()).toBe(credits - task.credits_used)
  expect((await simulator.submits(read.prompt)).map(({ answered }) => answered)).toEqual(['created', 'created'])
})

describe('with a media-probe whose network we hold', () => {
  const names = startNameServer()
  let control: number
  let probe: { stop(): Promise<void> }
  beforeAll(async () => {
    control = await freePort()
    await move('media-probe', 'stop')
    probe = await startOwnProbe({
      FILMGATE_NAME_SERVERS: (await names).address,
      FILMGATE_EGRESS_CONTROLS: `127.0.0.1:${control}`,
    })
  })
  afterAll(async () => {
    await probe?.stop()
    await move('media-probe', 'start')
    ;(await names).stop()
  })

  test.concurrent('our DNS gone: 503 after a refund and a free key; once it answers, a name that nobody has is the client’s fault and binds', async () => {
    const asked = await newRequest('https://media.example.com/first.jpg')
    const failedId = await expectOwnFault(asked, 'dns', await asked.generate())
    ;(await names).answer()
    expect(await expectRefused(asked)).not.toBe(failedId)
  })

  test.concurrent('a provider that can’t read what we send it, till the admission ends: 503 after a refund, and the key is free', async () => {
    const asked = await newRequest(sampleMedia('fifth.jpg'), { behaviours: [{ name: 'refuse', code: 'input_unreachable' }] })
    const { task_id: failedId } = expectError(await asked.generate(), 503, 'generation_unavailable')
    const failed = await taskEnd(asked.api, String(failedId))
    expect(failed).toMatchObject({ status: 'failed', billing_status: 'refunded', error: { code: 'generation_unavailable' } })
    expect(failed.error?.message).toBe(
      'A fault of ours kept the provider from reading the media. Nothing was charged. Retry with the same Idempotency-Key.',
    )
    expect(await asked.api.credits()).toBe(credits)
    await simulator.forget(asked.behaviourId)
    const again = await asked.generateAtStack()
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([202, null])
    const task = await taskEnd(asked.api, again.body.id)
    expect(task).toMatchObject({ status: 'completed', billing_status: 'settled' })
    const answered = (await simulator.submits(asked.prompt)).map(submit => submit.answered)
    expect(answered.length).toBeGreaterThan(3)
    expect(answered).toEqual([...Array(answered.length - 1).fill('input_unreachable'), 'created'])
  })

  test('our way out gone: 503 after a refund and a free key; once it is there, a host that refuses is the client’s fault and binds', async () => {
    const asked = await newRequest(sampleMedia('third.jpg'))
    await without('sample-media', 'stop', async () => {
      const failedId = await expectOwnFault(asked, 'egress', await asked.generate())
      const server = createServer(socket => void socket.on('error', () => undefined)).listen(control, '127.0.0.1')
      expect(await expectRefused(asked).finally(() => server.close())).not.toBe(failedId)
    })
  })
})

/** Refused as the client's fault and refunded, once for all requests under its key; returns the task's id. */
async function expectRefused({ api, prompt, generateAtStack }: NewRequest): Promise<string> {
  const { task_id: taskId } = expectError(await generateAtStack(), 400, 'media_unreachable')
  await taskEnd(api, String(taskId))
  expect(await api.credits()).toBe(credits)
  const replay = await generateAtStack()
  expect([replay.status, replay.body.id]).toEqual([200, String(taskId)])
  expect(await simulator.submits(prompt)).toEqual([])
  return String(taskId)
}

/** Fails at every name until it is told to answer, and then it says that nobody has it. */
async function startNameServer() {
  const [fails, noSuchName] = [0x8182, 0x8183]
  const socket = createSocket('udp4')
  let says = fails
  // Who has stopped waiting for an answer refuses it, and the socket is told so at its next read.
  socket.on('error', () => undefined)
  socket.on('message', (query, { port, address }) => {
    const reply = Buffer.from(query)
    reply.writeUInt16BE(says, 2)
    socket.send(reply, port, address)
  })
  await new Promise<void>(done => socket.bind(0, '127.0.0.1', done))
  return {
    address: `127.0.0.1:${socket.address().port}`,
    answer: () => {
      says = noSuchName
    },
    stop: () => void socket.close(),
  }
}

async function freePort(): Promise<number> {
  const server = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data: () => undefined } })
  const { port } = server
  server.stop(true)
  return port
}

afterAll(async () => {
  await gateway?.stop()
  expect(await audit()).toEqual([])
})
