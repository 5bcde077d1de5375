import { outputsHost } from '../install'
import { auditIsClean, type Installation, loadKeys } from '../installation'
import { persist } from '../load/persist'
import { serveMedia } from '../media-host'
import type { Proof } from '../report'
import { eventually } from '../shell'

const generatedMsMax = 300_000
const model = 'alpha-h3'

type Task = {
  id: string
  status: string
  billing_status: string
  credits_used: number
  output: { video_url: string } | null
  error?: { code: string } | null
}

/** A picture, a film and a sound of a client's host, through the ingress and the whole pipeline, to videos that are paid for. */
export const mediaProof: Proof<Installation> = {
  name: 'media fetched, measured and generated from',
  short: true,
  needs: 'media host',
  async prove(installation) {
    const urls = await serveMedia(installation.cluster, { picture: 'lake.jpg', film: 'walk-3s.mp4', sound: 'voice-2.5s.mp3' })
    const [key = ''] = await loadKeys(installation, 1)
    const image = await generate(installation, key, { mode: 'image-to-video', image_url: urls.picture })
    const media = await generate(installation, key, {
      mode: 'media-to-video',
      reference_image_urls: [urls.picture],
      reference_video_urls: [urls.film],
      reference_video_durations: [3],
      reference_audio_urls: [urls.sound],
      reference_audio_durations: [3],
    })
    await auditIsClean(installation)
    return {
      image_to_video_credits: image.credits,
      image_to_video_bytes: image.bytes,
      media_to_video_credits: media.credits,
      media_to_video_bytes: media.bytes,
    }
  },
}

/** One generation to its end; its price and the size of its video. */
async function generate({ target }: Installation, key: string, request: object): Promise<{ credits: number; bytes: number }> {
  const headers = { host: target.host, authorization: `Bearer ${key}` }
  const idempotencyKey = crypto.randomUUID()
  let refusal = ''
  const { body: created, lost } = await persist([200, 202], async () => {
    const response = await fetch(`${target.url}/api/v1/video/generations`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json', 'idempotency-key': idempotencyKey },
      body: JSON.stringify({ model, prompt: 'A walk along the lake, slow and steady', duration: 4, ...request }),
      signal: AbortSignal.timeout(260_000),
    })
    const text = await response.text()
    if (!response.ok) refusal = text.slice(0, 500)
    return { status: response.status, retryAfter: response.headers.get('retry-after'), body: JSON.parse(text) as Task }
  })
  if (!created) throw new Error(`${JSON.stringify(request)}: ${lost}: ${refusal}`)
  const task = await eventually(
    `a video of ${JSON.stringify(request)}`,
    generatedMsMax,
    async () => {
      const read = await fetch(`${target.url}/api/v1/tasks/${created.id}`, { headers, signal: AbortSignal.timeout(60_000) })
      const task = (await read.json()) as Task
      const ended = read.ok && task.status !== 'processing' && task.billing_status !== 'reserved'
      if (!ended) throw new Error(JSON.stringify(task))
      return task
    },
    2000,
  )
  if (task.status !== 'completed' || task.billing_status !== 'settled' || !task.output)
    throw new Error(`not completed and settled: ${JSON.stringify(task)}`)
  return { credits: task.credits_used, bytes: await videoBytes(target.url, task.output.video_url) }
}

/** Fetched under its public name, through the ingress. */
async function videoBytes(ingress: string, videoUrl: string): Promise<number> {
  const { pathname, search } = new URL(videoUrl)
  const response = await fetch(`${ingress}${pathname}${search}`, { headers: { host: outputsHost }, signal: AbortSignal.timeout(60_000) })
  const video = new Uint8Array(await response.arrayBuffer())
  if (new TextDecoder().decode(video.subarray(4, 8)) !== 'ftyp') throw new Error(`${videoUrl} is not an MP4: ${response.status}`)
  return video.length
}
