import { ownWords } from '../../support/client/request'
import { type Behaviour, simulator } from '../../support/simulator'
import type { Report } from '../../support/suite/report'
import { type Answer, clientVersion, runProgram, type Step } from './run-program'

const model = 'wan3.0-video'
const picture = 'https://ours.example/lake.jpg'

/** DashScope's published client drives the simulator's fake from submit to result, and meets its errors where DashScope's pages have them. */
export async function proveDashScopeClient(report: Report): Promise<void> {
  report.figure('dashscope_client.version', clientVersion)
  const lost = await orderThatMeets({ name: 'accept_then_drop' }, { name: 'never_finishes' })
  const answers = await runProgram([...(await videoSteps()), ...(await errorSteps()), { name: 'lost', call: 'async_call', given: lost }])
  const of = (name: string): Answer => answers.get(name) ?? {}
  const check = (words: string, name: string, holds: (answer: Answer) => boolean) =>
    report.check(words, holds(of(name)), JSON.stringify(of(name)))
  await proveVideo(report, of('video'))
  for (const name of ['size', 'frame', 'media'])
    check(`a submit in the form of ${name} ends as a video`, name, ({ output }) => output?.task_status === 'SUCCEEDED')
  check('a submit is answered with a pending task', 'running', ({ output }) => output?.task_status === 'PENDING' && !!output.task_id)
  check('which runs when it is asked about', 'fetched', ({ output }) => ['PENDING', 'RUNNING'].includes(output?.task_status ?? ''))
  check('and can’t be canceled any more', 'canceled', ({ status, code }) => status === 400 && code === 'UnsupportedOperation')
  check('a task that nobody made is UNKNOWN', 'nobody', ({ status, output }) => status === 200 && output?.task_status === 'UNKNOWN')
  check('another key is 401', 'stranger', ({ status, code }) => status === 401 && code === 'InvalidApiKey')
  check('a model that nobody knows is refused', 'model', ({ status, code }) => status === 400 && code === 'InvalidParameter')
  check('a field that nobody knows is refused', 'field', ({ status, code }) => status === 400 && code === 'InvalidParameter')
  for (const { name, told } of failures)
    check(`${name} fails as ${told}`, name, ({ output }) => output?.task_status === 'FAILED' && output.code === told)
  for (const { name, told, status } of refusals)
    check(`${name} is refused as ${told}`, name, answer => answer.status === status && answer.code === told)
  // Which is why the dispatcher has a connector of its own: this one buys twice.
  const bought = (await simulator.submitsWith(lost.prompt)).length
  report.check(
    'the client sends again what was lost, and that is another task',
    bought === 2 && of('lost').raised !== undefined,
    `${bought}`,
  )
}

async function orderThatMeets(...behaviours: Behaviour[]) {
  const prompt = ownWords()
  await simulator.behave(prompt, behaviours)
  return { model, prompt, resolution: '480P', ratio: '16:9', duration: 3, seed: 7, watermark: false }
}

/** The forms that our routes have: a size in one word, a resolution beside a picture, and a list of media. */
async function videoSteps(): Promise<Step[]> {
  const instant = () => orderThatMeets({ name: 'instant' })
  const promptOf = async () => ({ prompt: (await instant()).prompt })
  const frame = { ...(await promptOf()), model: 'wan2.6-i2v', img_url: picture, resolution: '720P', duration: 2 }
  return [
    { name: 'video', call: 'call', given: await orderThatMeets({ name: 'slow', delay_ms: 1_200 }, { name: 'instant' }) },
    { name: 'size', call: 'call', given: { ...(await promptOf()), model: 'wan2.5-t2v-preview', size: '832*480', duration: 5 } },
    { name: 'frame', call: 'call', given: frame },
    { name: 'media', call: 'call', given: { ...(await instant()), media: [{ type: 'first_frame', url: picture }] } },
    { name: 'running', call: 'async_call', given: await orderThatMeets({ name: 'never_finishes' }) },
    { name: 'fetched', call: 'fetch', given: {}, of: 'running' },
    { name: 'canceled', call: 'cancel', given: {}, of: 'running' },
    { name: 'nobody', call: 'wait', given: { task: crypto.randomUUID() } },
  ]
}

const failures = [
  { name: 'fails_after_accept', told: 'InternalError.Algo' },
  { name: 'moderated', told: 'DataInspectionFailed' },
]
const refusals = [
  { name: 'balance_exhausted', told: 'Arrearage', status: 400 },
  { name: 'too_many_requests', told: 'Throttling.RateQuota', status: 429 },
  { name: 'forbidden', told: 'Model.AccessDenied', status: 403 },
  { name: 'content_rejected', told: 'DataInspectionFailed', status: 400 },
]

async function errorSteps(): Promise<Step[]> {
  const fails = async (name: string): Promise<Step> => ({ name, call: 'call', given: await orderThatMeets({ name }) })
  const refuses = async (code: string): Promise<Step> => {
    return { name: code, call: 'async_call', given: await orderThatMeets({ name: 'refuse', code }) }
  }
  const order = await orderThatMeets({ name: 'never_finishes' })
  return [
    ...(await Promise.all(failures.map(({ name }) => fails(name)))),
    ...(await Promise.all(refusals.map(({ name }) => refuses(name)))),
    { name: 'stranger', call: 'async_call', given: { ...order, api_key: 'another-key-altogether' } },
    { name: 'model', call: 'async_call', given: { ...order, model: 'wan9.9-t2v' } },
    { name: 'field', call: 'async_call', given: { ...order, mood: 'calm' } },
  ]
}

async function proveVideo(report: Report, { output, usage }: Answer): Promise<void> {
  const video = await fetch(output?.video_url ?? '')
  const head = Buffer.from(await video.bytes()).toString('latin1', 4, 8)
  report.check('its result is a video', video.status === 200 && head === 'ftyp', `${video.status} ${head}`)
  report.check('and what was counted of it', usage?.duration === 3 && usage.SR === 480, JSON.stringify(usage))
}
