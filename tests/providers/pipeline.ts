import { openAccount } from '../support/client/account'
import { ownWords } from '../support/client/request'
import { sampleMedia } from '../support/client/sample-media'
import { audit, operate } from '../support/operator/operator'
import { simulator } from '../support/simulator'
import type { Report } from '../support/suite/report'
import { routedModels } from './fal/write-forms'

type Changes = Record<string, unknown>

/** Where fal has no mapping for what a request asks by default: what is asked instead. */
const instead: Record<string, Changes> = {
  'delta-2.6': { resolution: '1080p' },
  'eta-2.5': { generate_audio: true },
  'eta-2.6': { generate_audio: true },
  'kappa-02': { duration: 10, resolution: '768p' },
}

const frame = () => ({ mode: 'image-to-video', image_url: sampleMedia('lake-640x480.jpg') })
const picture = () => ({ mode: 'media-to-video', reference_image_urls: [sampleMedia('lake-640x480.jpg')] })
const motion = () => ({ ...picture(), reference_video_urls: [sampleMedia('walk-3s.mp4')], reference_video_durations: [3] })

/** One request for each model that the default routes have fal for, in a mode that fal has. */
const modes: Record<string, () => Changes> = {
  'delta-motion-control': motion,
  'delta-video-o1': picture,
  'kappa-2.3-fast': frame,
}

/** What fal, the first of the default routes, has no mapping for, and Runware, the next, has. */
const atRunware: [string, Changes][] = [
  ['gamma-3.1-fast', { resolution: '4k', aspect_ratio: '16:9' }],
  ['kappa-2.3', { aspect_ratio: '16:9' }],
  ['kappa-2.3', { aspect_ratio: '16:9', resolution: '1080p' }],
]

/** With the keys of fal and Runware every model of the default routes that fal has makes a video, and it is fal that makes it; what fal can't say is made at Runware. */
export async function provePipeline(report: Report): Promise<void> {
  const models = routedModels()
  const requests: [string, Changes][] = [
    ...models.map((model): [string, Changes] => [model, { ...instead[model], ...modes[model]?.() }]),
    ['delta-3.0', frame()],
    ['beta-2.0', picture()],
  ]
  await Promise.all([
    ...requests.map(([model, changes]) => proveModel(report, 'fal', model, changes)),
    ...atRunware.map(([model, changes]) => proveModel(report, 'runware', model, changes)),
  ])
  report.figure('pipeline.models', models.length)
  const findings = await audit()
  report.check('the books are whole', findings.length === 0, JSON.stringify(findings))
}

async function proveModel(report: Report, provider: string, model: string, changes: Changes): Promise<void> {
  const { api } = await openAccount()
  const prompt = ownWords()
  const name = `${model} ${changes.mode ?? ''}`.trim()
  await simulator.behave(prompt, [{ name: 'instant' }])
  const post = await api.generate({ model, prompt, ...changes })
  if (post.status !== 202) return report.check(`${name} is accepted`, false, `${post.status} ${post.text}`)
  const task = await api.taskOnce(post.body.id)
  type Attempt = { provider: string; state: string; delivery: { shortfalls: string[] } | null }
  const { attempts } = await operate<{ attempts: Attempt[] }>('dispatcher', 'GET', `/tasks/${task.id}`)
  const words = `${task.status} ${task.error?.code ?? ''} by ${attempts.map(one => `${one.provider}: ${one.state}`).join()}`
  const isDone = task.status === 'completed' && attempts.length === 1
  report.check(`${name} makes a video at ${provider}`, isDone && attempts[0]?.provider === provider, words)
  const delivery = attempts[0]?.delivery
  report.check(`${name} is delivered as it was ordered`, delivery?.shortfalls.length === 0, JSON.stringify(delivery))
  report.check(`${name} is submitted once`, (await simulator.submitsWith(prompt)).length === 1)
}
