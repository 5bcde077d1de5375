import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type KindLimits, MediaKind, type MediaLimits } from '@filmgate/proto/gen/filmgate/v1/order_pb'
import type { Report } from '../../support/suite/report'
import { decideSamples } from '../hostile/suite'
import { makeClip, makePicture } from '../support/make-media'
import { type MediaHost, openMediaHost } from '../support/media-host'
import { type MediaTopics, openMediaTopics } from '../support/media-topics'
import { orderOf } from '../support/orders'
import { keepLog, openProbe } from '../support/probe-process'
import { edgesOf, lengthsAt } from './edges'
import { padMovie, padPng } from './padding'
import { specifiedLimits } from './specified-limits'

const mib = 1_048_576

/**
 * Each limit that the contract names at both of its sides, with files that ffmpeg made; limits that models share are tried once.
 */
export async function proveEdges(report: Report, prefix: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'media-edges-'))
  const [host, topics] = [await openMediaHost(), await openMediaTopics(prefix)]
  const probe = await openProbe({ prefix, env: host.env })
  try {
    await probe.start()
    const modes = specifiedLimits.map(({ limits }) => limits)
    report.figure('edges.models_with_media', new Set(specifiedLimits.map(({ model }) => model)).size)

    let samples = 0
    for (const { limits, whole } of distinct(modes, kindLimits => ({ ...kindLimits, secondsMin: 0, secondsMax: 0, secondsTotalMax: 0 }))) {
      const edges = await edgesOf(folder, limits)
      samples += edges.length
      await decideSamples(report, host, topics, edges, whole)
    }
    for (const { limits, whole } of distinct(modes, ({ kind, secondsMin, secondsMax }) => ({ kind, secondsMin, secondsMax }))) {
      if (limits.secondsMax === 0) continue
      const edges = await lengthsAt(folder, limits)
      samples += edges.length
      await decideSamples(report, host, topics, edges, whole)
    }
    report.figure('edges.samples', samples)
    await proveTotal(report, host, topics, folder)
  } finally {
    await probe.stop()
    await keepLog(prefix, probe.log())
    await topics.stop()
    await host.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

/** One of each: what two modes limit alike is tried once, within the limits of the first. */
function distinct(modes: MediaLimits[], alike: (limits: KindLimits) => object): { limits: KindLimits; whole: MediaLimits }[] {
  const seen = new Map<string, { limits: KindLimits; whole: MediaLimits }>()
  for (const whole of modes) {
    for (const limits of whole.kinds) {
      const key = JSON.stringify(alike(limits), (_, value) => (typeof value === 'bigint' ? Number(value) : value))
      if (!seen.has(key)) seen.set(key, { limits, whole })
    }
  }
  return [...seen.values()]
}

/** 256 MiB in all, to the byte. */
async function proveTotal(report: Report, host: MediaHost, topics: MediaTopics, folder: string): Promise<void> {
  const movie = host.serve(padMovie(await readFile(await makeClip(folder, 'total.mp4', { width: 256, height: 256 })), 50 * mib))
  const png = await readFile(await makePicture(folder, 'total.png', 256, 256))
  const clips = Array.from({ length: 5 }, () => ({ kind: MediaKind.VIDEO, url: movie, declaredSeconds: 3 }))
  const picture = (bytes: number) => ({ kind: MediaKind.IMAGE, url: host.serve(padPng(png, bytes)) })
  for (const [name, bytes, code] of [
    ['256 MiB in all', 6 * mib, 'verified'],
    ['256 MiB in all and one byte', 6 * mib + 1, 'media_too_large'],
  ] as const) {
    const order = orderOf({ inputs: [...clips, picture(bytes)] })
    await topics.reserve([order])
    const outcome = await topics.outcome(order, 240_000)
    report.check(`media ${name}`, outcome.code === code, `${outcome.code} ${outcome.rejected?.message ?? ''}`)
  }
}
