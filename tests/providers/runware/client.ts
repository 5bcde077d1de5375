import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Runware } from '@runware/sdk-js'
import { ownWords } from '../../support/client/request'
import { settings } from '../../support/settings'
import { type Behaviour, simulator } from '../../support/simulator'
import type { Report } from '../../support/suite/report'

const model = 'klingai:kling-video@3-standard'
const folder = join(dirname(fileURLToPath(import.meta.resolve('@runware/sdk-js'))), '..')

type Client = InstanceType<typeof Runware>
type RunwareTask = { taskUUID: string; status?: string; videoURL?: string; cost?: number }
type Refusal = { code?: string; parameter?: string; taskUUID?: string }

/** Runware's own client, unmodified. It makes videos over a WebSocket alone; its `url` is for that. */
const clientOf = (apiKey: string): Client =>
  new Runware({ apiKey, url: `${settings.simulatorUrl.replace('http', 'ws')}/runware/v1`, globalMaxRetries: 1, timeoutDuration: 10_000 })

/** Runware's published client drives the simulator's fake from submit to result, and meets its errors where Runware's documents have them. */
export async function proveRunwareClient(report: Report): Promise<void> {
  report.figure('runware_client.version', JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).version)
  const runware = clientOf(settings.simulatorKey)
  await runware.ensureConnection()
  report.check('Runware’s client is let in with the key', true)
  await proveVideo(report, runware)
  await proveErrors(report, runware)
  await runware.disconnect()
  const stranger = clientOf('another-key-altogether')
  const refused = await refusalOf(stranger.ensureConnection())
  report.check('and is not with another', refused?.code === 'invalidApiKey', JSON.stringify(refused))
  await stranger.disconnect().catch(() => {})
}

async function taskThatMeets(...behaviours: Behaviour[]) {
  const positivePrompt = ownWords()
  await simulator.behave(positivePrompt, behaviours)
  return { model, positivePrompt, duration: 3, width: 1280, height: 720, includeCost: true }
}

async function proveVideo(report: Report, runware: Client): Promise<void> {
  const [made] = (await runware.videoInference(
    await taskThatMeets({ name: 'slow', delay_ms: 1_200 }, { name: 'instant' }),
  )) as RunwareTask[]
  const video = await fetch(made?.videoURL ?? '')
  const head = Buffer.from(await video.bytes()).toString('latin1', 4, 8)
  report.check('its result is a video', video.status === 200 && head === 'ftyp', `${video.status} ${head}`)
  report.check('and what it cost', typeof made?.cost === 'number', String(made?.cost))

  const taskUUID = crypto.randomUUID()
  const task = { ...(await taskThatMeets({ name: 'never_finishes' })), taskUUID, skipResponse: true }
  const submitted = (await runware.videoInference(task)) as unknown as RunwareTask
  report.check('a submit is acknowledged by the id that was given to it', submitted.taskUUID === taskUUID, submitted.taskUUID)
  const [running] = await runware.getResponse<RunwareTask>({ taskUUID })
  report.check('a task that runs is processing', running?.status === 'processing', running?.status)
  const again = await refusalOf(runware.videoInference(task))
  report.check('a second submit under one id is a conflict', again?.code === 'conflictTaskUUID', JSON.stringify(again))
}

async function proveErrors(report: Report, runware: Client): Promise<void> {
  const task = await taskThatMeets({ name: 'never_finishes' })
  const wrong = await refusalOf(runware.videoInference({ ...task, duration: 99 }))
  report.check(
    'a length that the model doesn’t have is refused by name',
    isOf(wrong, 'unsupportedDuration', 'duration'),
    JSON.stringify(wrong),
  )
  const unknown = await refusalOf(runware.videoInference({ ...task, mood: 'calm' }))
  report.check('a field that nobody knows is refused by name', isOf(unknown, 'unsupportedParameter', 'mood'), JSON.stringify(unknown))
  for (const [behaviour, code] of [
    [{ name: 'refuse', code: 'balance_exhausted' }, 'videoInferenceInsufficientCredits'],
    [{ name: 'refuse_content' }, 'promptBlocked'],
    [{ name: 'fails_after_accept' }, 'inferenceError'],
    [{ name: 'moderated' }, 'providerContentPolicyViolation'],
  ] as [Behaviour, string][]) {
    const refusal = await refusalOf(runware.videoInference(await taskThatMeets(behaviour)))
    report.check(`${behaviour.name} is told as ${code}`, refusal?.code === code, JSON.stringify(refusal))
  }
}

const isOf = (refusal: Refusal | undefined, code: string, parameter: string): boolean =>
  refusal?.code === code && refusal.parameter === parameter

/** The error that the client rejects with, or has within it. Undefined where it was not refused. */
async function refusalOf(call: Promise<unknown>): Promise<Refusal | undefined> {
  const thrown = await call.then(
    () => undefined,
    (error: unknown) => error,
  )
  return (thrown as { error?: Refusal } | undefined)?.error ?? (thrown as Refusal | undefined)
}
