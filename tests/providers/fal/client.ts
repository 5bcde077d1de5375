import { ApiError, createFalClient, type FalClient, ValidationError } from '@fal-ai/client'
import { ownWords } from '../../support/client/request'
import { sampleMedia } from '../../support/client/sample-media'
import { settings } from '../../support/settings'
import { type Behaviour, simulator } from '../../support/simulator'
import type { Report } from '../../support/suite/report'
import { clientVersion } from './client-forms'
import { keptForms, wantedForms } from './write-forms'

const model = 'fal-ai/kling-video/v3/standard/text-to-video'

/** fal's own client, unmodified. Its middleware, which is there for proxies, takes what it asks of fal to the simulator. */
const clientOf = (credentials: string): FalClient =>
  createFalClient({
    credentials,
    requestMiddleware: async request => ({
      ...request,
      url: request.url.replace(/^https:\/\/(queue\.fal\.run|rest\.fal\.ai)/, `${settings.simulatorUrl}/fal`),
    }),
  })

/** fal's published client drives the simulator's fake from submit to result, and meets its errors where fal's documents have them. */
export async function proveClient(report: Report): Promise<void> {
  report.figure('client.version', clientVersion)
  const same = Bun.deepEquals(keptForms(), JSON.parse(JSON.stringify(wantedForms())))
  report.check('the fake holds the inputs that the client’s types have', same, 'run `bun tests/providers/fal/write-forms.ts`')
  const fal = clientOf(settings.simulatorKey)
  await proveVideo(report, fal)
  await proveStorage(report, fal)
  await proveQueue(report, fal)
  await proveErrors(report, fal)
}

async function inputThatMeets(...behaviours: Behaviour[]) {
  const prompt = ownWords()
  await simulator.behave(prompt, behaviours)
  return { prompt, duration: '3' as const, aspect_ratio: '16:9' as const, generate_audio: false }
}

async function proveVideo(report: Report, fal: FalClient): Promise<void> {
  const seen: string[] = []
  let enqueued = ''
  const { data, requestId } = await fal.subscribe(model, {
    input: await inputThatMeets({ name: 'slow', delay_ms: 1_200 }, { name: 'instant' }),
    pollInterval: 200,
    logs: true,
    onEnqueue: id => {
      enqueued = id
    },
    onQueueUpdate: ({ status }) => void (seen.at(-1) !== status && seen.push(status)),
  })
  report.check(
    'the client is told the id, and meets it in the result',
    enqueued !== '' && requestId === enqueued,
    `${enqueued} ${requestId}`,
  )
  report.check('it sees the request run and complete', seen.includes('IN_PROGRESS') && seen.at(-1) === 'COMPLETED', seen.join())
  const video = await fetch(data.video.url)
  const head = Buffer.from(await video.bytes()).toString('latin1', 4, 8)
  report.check('its result is a video', video.status === 200 && head === 'ftyp', `${video.status} ${head}`)
}

/** What the client is given as bytes it uploads, and names by its address there. */
async function proveStorage(report: Report, fal: FalClient): Promise<void> {
  const picture = await (await fetch(sampleMedia('lake-640x480.jpg'), { tls: { rejectUnauthorized: false } })).blob()
  const url = await fal.storage.upload(picture, { lifecycle: { expiresIn: '1h' } })
  const kept = await fetch(url)
  const same = Bun.deepEquals(await kept.bytes(), await picture.bytes())
  report.check('what the client uploads can be read where it says', kept.status === 200 && same, `${kept.status} ${url}`)
  const input = { prompt: ownWords(), duration: '3' as const, generate_audio: false, start_image_url: picture as unknown as string }
  const { data } = await fal.subscribe('fal-ai/kling-video/v3/standard/image-to-video', { input, pollInterval: 200 })
  report.check('a picture given as bytes becomes a video', (await fetch(data.video.url)).status === 200, JSON.stringify(data))
}

async function proveQueue(report: Report, fal: FalClient): Promise<void> {
  const calls: unknown[] = []
  const listener = Bun.serve({
    port: 0,
    async fetch(request) {
      calls.push(await request.json())
      return new Response(null, { status: 204 })
    },
  })
  const running = await fal.queue.submit(model, { input: await inputThatMeets({ name: 'never_finishes' }) })
  const { status } = await fal.queue.status(model, { requestId: running.request_id })
  report.check('a status is asked for by the id', status === 'IN_PROGRESS' || status === 'IN_QUEUE', status)
  const early = await fal.queue.result(model, { requestId: running.request_id }).catch((error: unknown) => error)
  report.check('a result that is not there yet is an ApiError', early instanceof ApiError && early.status === 400, String(early))
  const cancelled = await fal.queue.cancel(model, { requestId: running.request_id }).then(() => 'cancelled', String)
  report.check('a cancellation is taken', cancelled === 'cancelled', cancelled)
  const input = await inputThatMeets({ name: 'instant' })
  const called = await fal.queue.submit(model, { input, webhookUrl: `http://127.0.0.1:${listener.port}/hook` })
  for (let tries = 0; calls.length === 0 && tries < 100; tries++) await Bun.sleep(50)
  const { data } = await fal.queue.result(model, { requestId: called.request_id })
  const wanted = { request_id: called.request_id, gateway_request_id: called.request_id, status: 'OK', payload: data }
  report.check('the webhook tells what the result does', Bun.deepEquals(calls[0], wanted), JSON.stringify(calls))
  await listener.stop()
}

async function proveErrors(report: Report, fal: FalClient): Promise<void> {
  const outcome = (work: Promise<unknown>) => work.catch((error: unknown) => error)
  const input = { ...(await inputThatMeets({ name: 'instant' })), promtp: 'x' }
  const slip = await outcome(fal.queue.submit(model, { input: input as never }))
  const fields = slip instanceof ValidationError ? slip.fieldErrors.map(({ loc }) => loc.at(-1)) : []
  report.check('an unknown field is a ValidationError that names it', fields.join() === 'promtp', String(slip))
  const stranger = await outcome(clientOf('another:key-altogether').queue.submit(model, { input }))
  report.check('another key is 401', stranger instanceof ApiError && stranger.status === 401, String(stranger))
  const withheld = await outcome(fal.subscribe(model, { input: await inputThatMeets({ name: 'moderated' }) }))
  const [first] = withheld instanceof ValidationError ? withheld.fieldErrors : []
  report.check('a withheld output is a ValidationError of that type', first?.type === 'content_policy_violation', String(withheld))
  const broken = await outcome(fal.subscribe(model, { input: await inputThatMeets({ name: 'fails_after_accept' }) }))
  report.check('a failed one is an ApiError', broken instanceof ApiError && broken.status === 500, String(broken))
  const poor = await outcome(fal.queue.submit(model, { input: await inputThatMeets({ name: 'refuse', code: 'balance_exhausted' }) }))
  report.check('an account without balance is 403', poor instanceof ApiError && poor.status === 403, String(poor))
}
