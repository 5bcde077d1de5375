import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import Replicate from 'replicate'
import { ownWords } from '../../support/client/request'
import { settings } from '../../support/settings'
import { type Behaviour, simulator } from '../../support/simulator'
import type { Report } from '../../support/suite/report'

const model = 'bytedance/seedance-2.0-fast'
const polling = { mode: 'poll', interval: 100 } as const
const clientOf = (auth: string): Replicate =>
  new Replicate({ auth, baseUrl: `${settings.simulatorUrl}/replicate/v1`, useFileOutput: false })

/** Replicate's published client, unmodified, drives the simulator's fake from a prediction to its end, and meets its errors. */
export async function proveReplicateClient(report: Report): Promise<void> {
  const manifest = join(dirname(fileURLToPath(import.meta.resolve('replicate'))), 'package.json')
  report.figure('replicate_client.version', JSON.parse(readFileSync(manifest, 'utf8')).version)
  const client = clientOf(settings.simulatorKey)
  await proveVideos(report, client)
  await proveErrors(report, client)
}

/** An input whose submit meets this behaviour. */
async function inputThatMeets(behaviour: Behaviour, more: object = {}): Promise<object> {
  const prompt = ownWords()
  await simulator.behave(prompt, behaviour.name === 'slow' ? [behaviour, { name: 'instant' }] : [behaviour])
  return { prompt, duration: 4, resolution: '480p', aspect_ratio: '16:9', ...more }
}

async function proveVideos(report: Report, client: Replicate): Promise<void> {
  const output = await client.run(model, { input: await inputThatMeets({ name: 'slow', delay_ms: 1_200 }), wait: polling })
  const video = await fetch(String(output))
  const head = Buffer.from(await video.bytes()).toString('latin1', 4, 8)
  report.check('Replicate’s client waits for a prediction and gets a video', video.ok && head === 'ftyp', `${video.status} ${head}`)
  const picture = 'https://ours.example/a.png'
  for (const more of [{ image: picture, last_frame_image: picture }, { reference_images: [picture, picture] }]) {
    const { id, status } = await client.predictions.create({ model, input: await inputThatMeets({ name: 'never_finishes' }, more) })
    const seen = await client.predictions.get(id)
    report.check(`${Object.keys(more)} are taken as the client sends them`, status === 'starting' && seen.id === id, seen.status)
  }
}

async function proveErrors(report: Report, client: Replicate): Promise<void> {
  const wordsOf = (call: Promise<unknown>): Promise<string> => call.then(String, (error: unknown) => (error as Error).message)
  const submitted = async (behaviour: Behaviour, more: object = {}, by = client): Promise<string> =>
    wordsOf(by.predictions.create({ model, input: await inputThatMeets(behaviour, more) }))
  const ended = async (name: string) => wordsOf(client.run(model, { input: await inputThatMeets({ name }), wait: polling }))
  for (const [what, words, piece] of [
    ['another key', await submitted({ name: 'instant' }, {}, clientOf('another-key-altogether')), 'status 401 Unauthorized'],
    ['an unknown field', await submitted({ name: 'instant' }, { mood: 'calm' }), 'input.mood'],
    ['an account without credit', await submitted({ name: 'refuse', code: 'balance_exhausted' }), 'status 402'],
    ['a fault of its own', await submitted({ name: '500_before_accept' }), 'status 500'],
    ['an id of nobody’s', await wordsOf(client.predictions.get('gm3qorzdhgbfurvjtvhg6dckhu')), 'status 404'],
    ['a withheld video', await ended('moderated'), '(E005)'],
    ['a failed prediction', await ended('fails_after_accept'), '(E1000)'],
  ] as const)
    report.check(`Replicate’s client meets ${what}`, words.includes(piece), words)
}
