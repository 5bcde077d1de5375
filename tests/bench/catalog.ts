import { join, resolve } from 'node:path'
import { settings } from '../support/settings'
import { throughput } from '../support/throughput'

export type Row = { name: string; ratio: number | null; value: number | null; unit: string; mark: number | null; holds: boolean }

const gateway = resolve(import.meta.dir, '../../services/gateway')
const typicalMicrosMax = 20
const largestMicrosMax = 200
const ratioMin = 0.8

/** What a check costs, and GET /models beside a static route behind the same door. */
export default async function measure(): Promise<Row[]> {
  return [...(await measureChecks()), await measureModels()]
}

const url = `https://media.example.com/${'x'.repeat(1_070)}`
const typical = {
  model: 'beta-2.5',
  mode: 'media-to-video',
  prompt: 'A paper boat drifts down a rainy street at dusk, slow tracking shot',
  duration: 8,
  resolution: '1080p',
  aspect_ratio: '16:9',
  reference_image_urls: ['https://media.example.com/boat.png', 'https://media.example.com/street.png'],
  generate_audio: true,
  seed: 42,
}
/** Close to the 64 KiB a body may have, with as many fields, references and characters as any model takes. */
const largest = {
  ...typical,
  prompt: '字'.repeat(2_300),
  reference_image_urls: Array.from({ length: 30 }, () => url),
  reference_video_urls: Array.from({ length: 10 }, () => url),
  reference_video_durations: Array.from({ length: 10 }, () => 3),
  reference_audio_urls: Array.from({ length: 10 }, () => url),
  reference_audio_durations: Array.from({ length: 10 }, () => 3),
  watermark: true,
  max_credits: 9_007_199_254_740_991,
}

async function measureChecks(): Promise<Row[]> {
  const child = Bun.spawn([process.execPath, join(gateway, 'src/catalog/measure-check.ts')], {
    env: { ...process.env, KAFKA_BROKERS: settings.kafkaBrokers.join(',') },
    stdin: new Blob([JSON.stringify({ typical, largest })]),
    stdout: 'pipe',
    stderr: 'inherit',
  })
  const figures: Record<string, { valid: boolean; micros: number }> = JSON.parse(await child.stdout.text())
  const row = (name: string, micros: number, valid: boolean, mark: number): Row => ({
    name,
    ratio: null,
    value: micros,
    unit: 'µs',
    mark,
    holds: valid && micros <= mark,
  })
  return [
    row('check of a typical body', figures.typical?.micros ?? Infinity, figures.typical?.valid ?? false, typicalMicrosMax),
    row('check of the largest legal body', figures.largest?.micros ?? Infinity, figures.largest?.valid ?? false, largestMicrosMax),
  ]
}

/** In many short turns, each beside its like, so that whatever else the machine does falls on both; the median pair counts. */
async function measureModels(): Promise<Row> {
  const child = Bun.spawn([process.execPath, join(gateway, 'src/models/serve-for-bench.ts')], {
    env: { ...process.env, KAFKA_BROKERS: settings.kafkaBrokers.join(','), REDIS_URL: settings.redisUrl },
    stdout: 'pipe',
    stderr: 'inherit',
  })
  const { value } = await child.stdout.getReader().read()
  const base = `http://127.0.0.1:${Buffer.from(value ?? [])
    .toString()
    .trim()}`
  const options = { headers: { authorization: 'Bearer bench' }, seconds: turnSeconds }
  const pairs: { models: number; ratio: number }[] = []
  for (let turn = 0; turn < turns; turn++) {
    const fixed = await throughput(`${base}/static`, options)
    const models = await throughput(`${base}/models`, options)
    // The first turns warm both up.
    if (turn >= turns / 4) pairs.push({ models, ratio: models / fixed })
  }
  child.kill()
  await child.exited
  const { models, ratio } = pairs.toSorted((a, b) => a.ratio - b.ratio)[Math.floor(pairs.length / 2)] ?? { models: 0, ratio: 0 }
  return { name: 'GET /models beside a static route', ratio, value: models, unit: 'requests/s', mark: ratioMin, holds: ratio >= ratioMin }
}

const turns = 20
const turnSeconds = 0.5
