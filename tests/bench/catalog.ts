import { join, resolve } from 'node:path'
import { askOn } from '../support/client/throughput'
import { settings } from '../support/settings'
import { cpuSecondsOf } from './support/cpu-seconds'
import type { Row } from './support/row'

const gateway = resolve(import.meta.dir, '../../services/gateway')
const typicalMicrosMax = 20
const largestMicrosMax = 200
const ratioMin = 0.8

/** What a check costs, and GET /models beside a static route behind the same checks. */
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
  const child = Bun.spawn([process.execPath, join(gateway, 'bench/measure-check.ts')], {
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

/**
 * One process answers both, in many short turns, and what each answer costs it in CPU says how many it can give: what else the machine
 * does changes how long a turn takes, not what an answer costs. The difference is three headers: where a large answer is given late,
 * Bun 1.4 sends each header by itself.
 */
async function measureModels(): Promise<Row> {
  const child = Bun.spawn([process.execPath, join(gateway, 'bench/serve-models.ts')], {
    env: { ...process.env, KAFKA_BROKERS: settings.kafkaBrokers.join(','), REDIS_URL: settings.redisUrl },
    stdout: 'pipe',
    stderr: 'inherit',
  })
  const { value } = await child.stdout.getReader().read()
  const base = `http://127.0.0.1:${Buffer.from(value ?? [])
    .toString()
    .trim()}`
  const spent = { '/static': { seconds: 0, answers: 0 }, '/models': { seconds: 0, answers: 0 } }
  for (let turn = 0; turn < turns; turn++) {
    for (const [path, sum] of Object.entries(spent)) {
      const before = cpuSecondsOf(child.pid)
      const answers = await askOn(base + path, { headers: { authorization: 'Bearer bench' }, seconds: turnSeconds })
      // The first turns warm both up.
      if (turn < turns / 4) continue
      sum.seconds += cpuSecondsOf(child.pid) - before
      sum.answers += answers
    }
  }
  child.kill()
  await child.exited
  const perSecond = ({ seconds, answers }: { seconds: number; answers: number }) => answers / seconds
  const [fixed, models] = [perSecond(spent['/static']), perSecond(spent['/models'])]
  const ratio = models / fixed
  return {
    name: 'GET /models beside a static route',
    ratio,
    value: models,
    unit: 'answers a CPU second',
    mark: ratioMin,
    holds: ratio >= ratioMin,
  }
}

const turns = 24
const turnSeconds = 0.5
