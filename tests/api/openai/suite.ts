import { join } from 'node:path'
import OpenAI from 'openai'
import { VERSION } from 'openai/version'
import { openAccount } from '../../support/client/account'
import { openAiUrl } from '../../support/client/openai'
import { ownWords } from '../../support/client/request'
import { sampleBytes } from '../../support/client/sample-media'
import { operate } from '../../support/operator/operator'
import { instance } from '../../support/settings'
import type { Report } from '../../support/suite/report'
import { until } from '../../support/until'
import { dollarsPerSecond, litellmVersion, proxyModel, startLitellm } from './litellm'
import { pythonVersion, runOpenAiPython } from './python-client'
import { proveSamples } from './samples'

/** One second of the smallest size that the model has. */
const smallVideo = () => ({ model: 'alpha-h3-fast', prompt: ownWords(), seconds: '1', size: '854x480' })

/** Published clients, unmodified, make videos with base URL and key changed; each is charged once. */
export async function prove(report: Report): Promise<void> {
  await proveNpm(report)
  await provePython(report)
  await proveLitellm(report)
  await proveSamples(report)
}

/** Posters are drawn one after the other, and each part before this one has made hundreds of videos. */
const posterMsMax = 1_200_000

async function proveNpm(report: Report): Promise<void> {
  report.figure('openai.npm', VERSION)
  const { apiKey, api } = await openAccount()
  const client = new OpenAI({ apiKey, baseURL: openAiUrl() })
  const before = await api.credits()
  const { id } = await client.videos.create(smallVideo() as unknown as OpenAI.VideoCreateParams)
  const video = await untilEnded(client, id)
  report.check('npm: a video is made and shown', video.status === 'completed' && String(video.size) === '854x480', JSON.stringify(video))
  const bytes = Buffer.from(await (await client.videos.downloadContent(id)).arrayBuffer())
  report.check('npm: its bytes are a video', bytes.toString('latin1', 4, 8) === 'ftyp')
  const thumbnail = () => client.videos.downloadContent(id, { variant: 'thumbnail' }).catch(() => undefined)
  const poster = await until('the poster', thumbnail, posterMsMax)
  report.check('npm: its thumbnail is a picture', Buffer.from(await poster.arrayBuffer()).toString('hex', 0, 3) === 'ffd8ff')
  const listed: string[] = []
  for await (const each of client.videos.list({ limit: 1 })) listed.push(each.id)
  report.check('npm: it is listed', listed.includes(id), listed.join())
  const { credits_used } = video as unknown as { credits_used: number }
  report.check('npm: it is charged once', before - (await api.credits()) === credits_used, String(credits_used))
  report.check('npm: it is deleted', (await client.videos.delete(id)).deleted)
  const after = await client.videos.retrieve(id).catch(error => error.code)
  report.check('npm: and is unknown afterwards', after === 'task_not_found', String(after))
}

const untilEnded = (client: OpenAI, id: string) =>
  until('its end', async () => {
    const read = await client.videos.retrieve(id)
    return read.status === 'completed' || read.status === 'failed' ? read : undefined
  })

/** The same client at LiteLLM's proxy, which has Filmgate as its provider. */
async function proveLitellm(report: Report): Promise<void> {
  report.figure('openai.litellm', litellmVersion)
  const { apiKey, api } = await openAccount()
  const proxy = await startLitellm({ apiKey, url: openAiUrl() })
  try {
    const before = await api.credits()
    const client = new OpenAI({ apiKey: proxy.apiKey, baseURL: proxy.url })
    const request = { ...smallVideo(), model: proxyModel } as unknown as OpenAI.VideoCreateParams
    const { data, response } = await client.videos.create(request).withResponse()
    const cost = response.headers.get('x-litellm-response-cost')
    report.check('LiteLLM: it counts the cost of a second', Number(cost) === dollarsPerSecond, String(cost))
    const video = await untilEnded(client, data.id)
    report.check('LiteLLM: a video is made', video.status === 'completed', JSON.stringify(video))
    const bytes = Buffer.from(await (await client.videos.downloadContent(data.id)).arrayBuffer())
    report.check('LiteLLM: its bytes are a video', bytes.toString('latin1', 4, 8) === 'ftyp', bytes.toString('latin1', 0, 200))
    const { data: tasks } = JSON.parse((await api.get('/tasks')).text) as { data: { credits_used: number }[] }
    report.check('LiteLLM: it is charged once', tasks.length === 1 && before - (await api.credits()) === tasks[0]?.credits_used)
  } finally {
    await proxy.stop()
  }
}

type Journey = {
  version: string
  video: OpenAI.Video
  kind: string
  listed: boolean
  framed: string
  deleted: boolean
  after: string
}

async function provePython(report: Report): Promise<void> {
  const { apiKey, accountId } = await openAccount()
  const picture = join(process.env.TMPDIR ?? '/tmp', `${instance}-${crypto.randomUUID()}.jpg`)
  await Bun.write(picture, await sampleBytes('lake-640x480.jpg'))
  const told = await runOpenAiPython<Journey>({ request: smallVideo(), picture }, { apiKey, url: openAiUrl() })
  await Bun.file(picture).delete()
  report.figure('openai.pypi', told.version)
  report.check('PyPI: the pinned version runs', told.version === pythonVersion, told.version)
  report.check('PyPI: create_and_poll ends with a video', told.video.status === 'completed', JSON.stringify(told.video))
  report.check('PyPI: its bytes are a video, and it is listed', told.kind === 'ftyp' && told.listed, JSON.stringify(told))
  report.check('PyPI: it is deleted and unknown afterwards', told.deleted && told.after === 'task_not_found', told.after)
  const framed = await operate<{ task: { mode: string } }>('gateway', 'GET', `/tasks/${told.framed}`)
  report.check('PyPI: a file is the first frame', framed.task.mode === 'image-to-video', JSON.stringify({ accountId, framed }))
}
