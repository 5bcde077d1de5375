import { afterAll, expect, test } from 'bun:test'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Filmgate, FilmgateError, isCode, type Progress, type VideoGenerationRequest, type VideoTask } from '@filmgate/client'
import { openAccount } from '../../support/client/account'
import { ownWords, smallRequest } from '../../support/client/request'
import { sampleBytes } from '../../support/client/sample-media'
import { operate } from '../../support/operator/operator'
import { settings } from '../../support/settings'
import { simulator } from '../../support/simulator'

const folder = await mkdtemp(join(tmpdir(), 'filmgate-'))
afterAll(() => rm(folder, { recursive: true, force: true }))

async function newClient() {
  const account = await openAccount({ credits: 1_000 })
  return { ...account, filmgate: new Filmgate({ apiKey: account.apiKey, baseUrl: settings.url }) }
}
const small = (prompt: string) => smallRequest({ prompt }) as VideoGenerationRequest
const refusalOf = (call: Promise<unknown>): Promise<FilmgateError> =>
  call.then(
    () => Promise.reject(new Error('it was not refused')),
    (error: unknown) => (error instanceof FilmgateError ? error : Promise.reject(error)),
  )

test.concurrent('calls at once with one key are one task and one charge; its video is saved whole, and books and lists have its tag', async () => {
  const { filmgate } = await newClient()
  const request = small(ownWords())
  const { credits } = await filmgate.estimate(request)
  const steps: Progress[] = []
  const options = {
    idempotencyKey: crypto.randomUUID(),
    tags: { project: 'Frühling, 1' },
    onProgress: (step: Progress) => steps.push(step),
  }
  const made = await Promise.all(['a.mp4', 'b.mp4'].map(name => filmgate.generate(request, { ...options, saveTo: join(folder, name) })))
  const [one, other] = made.map(({ task }) => task)
  expect(one).toEqual(other)
  expect(one).toMatchObject({ status: 'completed', billing_status: 'settled', credits_used: credits })
  expect(await filmgate.credits()).toEqual({ available_credits: 1_000 - credits, balance_type: 'paid' })
  const bytes = await readFile(join(folder, 'a.mp4'))
  expect([bytes.subarray(4, 8).toString(), bytes.equals(await readFile(join(folder, 'b.mp4')))]).toEqual(['ftyp', true])
  expect(Buffer.from(await (await (made[0] as (typeof made)[0]).response()).arrayBuffer())).toEqual(bytes)
  expect((await readdir(folder)).filter(name => name.endsWith('.part'))).toEqual([])
  expect(steps.map(({ phase }) => phase)).toContain('settled')
  const tag = { name: 'project', value: 'Frühling, 1' }
  expect(await Array.fromAsync(filmgate.tasks.list({ tag }))).toEqual([one as VideoTask])
  expect(await filmgate.tasks.find(options.idempotencyKey)).toEqual(one)
  expect((await Array.fromAsync(filmgate.usage.list({ tag, limit: 1 }))).map(({ task_id, credits }) => [task_id, credits])).toEqual([
    [one?.id ?? '', -credits],
  ])
  const types = await Array.fromAsync(filmgate.tasks.events(one?.id ?? ''), ({ type }) => type)
  expect([types[0], types.at(-1)]).toEqual(['queued', 'completed'])
  const reused = await refusalOf(filmgate.create(small(ownWords()), options))
  expect(reused).toMatchObject({ code: 'idempotency_key_reused', status: 409, idempotencyKey: options.idempotencyKey })
})

test.concurrent('a video that is withheld is an error with its task, whose credits come back; a request too dear is refused with its price', async () => {
  const { filmgate } = await newClient()
  const prompt = ownWords()
  await simulator.behave(prompt, [{ name: 'moderated', delay_ms: 100 }])
  const error = await refusalOf(filmgate.generate(small(prompt)))
  expect(error).toMatchObject({
    code: 'output_moderated',
    taskId: error.task?.id,
    task: { status: 'failed' },
    details: { task_id: error.taskId },
  })
  for await (const _ of filmgate.tasks.events(error.taskId ?? ''));
  expect((await filmgate.credits()).available_credits).toBe(1_000)
  const dear = await refusalOf(filmgate.generate({ model: 'alpha-h3', prompt: 'A boat', max_credits: 1 }))
  expect(isCode(dear, 'max_credits_exceeded') && dear.details.price_credits).toBeGreaterThan(1)
})

test.concurrent('a task whose acceptance is not known is told as review and waited for, and another process goes on with it', async () => {
  const { filmgate } = await newClient()
  const prompt = ownWords()
  await simulator.behave(prompt, [
    ...[{ name: 'accept_then_drop' as const }, { name: 'lookup_lags' as const, delay_ms: 3_600_000 }],
    ...[{ name: 'lookup_500' as const, times: 1_000 }, { name: 'instant' as const }],
  ])
  const task = await filmgate.create(small(prompt))
  const phases: string[] = []
  const error = await refusalOf(filmgate.wait(task, { timeoutMs: 2_000, onProgress: ({ phase }) => phases.push(phase) }))
  expect([error.code, error.taskId, phases.at(-1)]).toEqual(['timeout', task.id, 'review'])
  const [submit] = await simulator.submits(prompt)
  await operate('dispatcher', 'POST', `/reviews/${task.id}/accept`, { provider_task_id: submit?.generation_id, reason: 'seen there' })
  const video = await filmgate.wait(error.taskId ?? '')
  expect(video.task).toMatchObject({ id: task.id, status: 'completed', billing_status: 'settled' })
})

test.concurrent('a task is cancelled, and one that has ended says why not', async () => {
  const { filmgate } = await newClient()
  const prompt = ownWords()
  await simulator.behave(prompt, [{ name: 'instant' }])
  const { task } = await filmgate.generate(small(prompt))
  const refused = await refusalOf(filmgate.tasks.cancel(task.id))
  expect(isCode(refused, 'not_cancellable') && refused.details).toEqual({ task_id: task.id, reason: 'ended' })
})

test.concurrent('a picture is uploaded and starts a video; bytes that are none are refused with their code', async () => {
  const { filmgate } = await newClient()
  const picture = new Blob([new Uint8Array(await sampleBytes('lake-640x480.jpg'))], { type: 'image/jpeg' })
  const image_url = await filmgate.uploads.create(picture)
  const request = {
    model: 'beta-1.0-lite',
    mode: 'image-to-video',
    prompt: ownWords(),
    image_url,
    duration: 4,
    resolution: '480p',
  } as const
  expect((await filmgate.generate(request)).task.status).toBe('completed')
  const broken = await refusalOf(filmgate.uploads.create(new Blob(['no picture'], { type: 'image/jpeg' })))
  expect(broken.code).toMatch(/^media_/)
})

test.concurrent('webhook endpoints are made, changed, rotated, listed and deleted', async () => {
  const { webhooks } = (await newClient()).filmgate
  const { id, secret } = await webhooks.create({ url: 'https://example.com/filmgate', events: ['task.failed'] })
  expect((await webhooks.change(id, { description: 'mine' })).description).toBe('mine')
  const rotated = await webhooks.rotate(id)
  expect([secret, rotated.secret, rotated.secret === secret]).toEqual([
    expect.stringMatching(/^whsec_/),
    expect.stringMatching(/^whsec_/),
    false,
  ])
  expect((await webhooks.list()).data.map(endpoint => endpoint.id)).toEqual([id])
  expect((await webhooks.deliveries(id).page()).data).toEqual([])
  await webhooks.delete(id)
  expect(await refusalOf(webhooks.get(id))).toMatchObject({ code: 'not_found', status: 404 })
})
