import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { until } from '@filmgate/kit/testing'
import { MediaKind } from '@filmgate/proto/gen/filmgate/v1/order_pb'
import type { Report } from '../../support/suite/report'
import { makeClip, makePicture, makeTone } from '../support/make-media'
import { openMediaHost } from '../support/media-host'
import { openMediaTopics } from '../support/media-topics'
import { orderOf } from '../support/orders'
import { keepLog, openProbe } from '../support/probe-process'
import { childrenOf, residentBytes } from '../support/processes'
import { mutate } from './mutate'

const files = Number(process.env.MEDIA_MUTATIONS ?? 5_000)
const inFlightMax = 50
const firstSeed = 20_261_121
/** After this many files the process has seen everything it will see; what it holds then is what it may hold at the end. */
const warmUpFiles = 1_000
const growthBytesMax = 96 * 1_048_576

/** Thousands of mutated files: each is decided, and nothing of them stays: no child, no byte, no memory, no copy. */
export async function proveMutations(report: Report, prefix: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'media-mutations-'))
  const [host, topics] = [await openMediaHost(), await openMediaTopics(prefix)]
  const probe = await openProbe({ prefix, env: host.env })
  try {
    await probe.start()
    const pid = probe.pid()
    const originals = await makeOriginals(folder)
    const bodies = originals.map(({ bytes }) => bytes)
    const outcomes = new Map<string, number>()
    let warmBytes = 0
    let next = 0
    const decideNext = async () => {
      for (let index = next++; index < files; index = next++) {
        const seed = firstSeed + index
        const { kind, declaredSeconds } = originals[seed % originals.length] ?? { kind: MediaKind.IMAGE, declaredSeconds: 0 }
        const url = host.serve(() => new Response(mutate(bodies, seed)))
        const order = orderOf({ inputs: [{ kind, declaredSeconds, url }] })
        await topics.reserve([order])
        const { code } = await topics.outcome(order, 240_000).catch(error => ({ code: String(error) }))
        outcomes.set(code, (outcomes.get(code) ?? 0) + 1)
        if (index <= warmUpFiles) warmBytes = Math.max(warmBytes, residentBytes(pid))
      }
    }
    await Promise.all(Array.from({ length: inFlightMax }, decideNext))
    const decided = [...outcomes].filter(([code]) => code === 'verified' || (code.startsWith('media_') && code !== 'media_unreachable'))
    const sum = decided.reduce((total, [, count]) => total + count, 0)
    report.check('every mutated file is decided for what it is', sum === files, JSON.stringify([...outcomes]))
    report.check('the service is the same process', probe.pid() === pid && residentBytes(pid) > 0)
    report.check('no child is left', (await until('no child', () => childrenOf(pid).length === 0, 10_000).catch(() => false)) === true)
    report.check('no temporary byte is left', (await probe.leftOnDisk()).length === 0)
    const growth = residentBytes(pid) - warmBytes
    report.check('memory is flat', growth < growthBytesMax, `${Math.round(growth / 1_048_576)} MiB more than after ${warmUpFiles} files`)
    report.figure('mutations.files', files)
    report.figure('mutations.resident_mebibytes', residentBytes(pid) / 1_048_576)
    report.figure('mutations.growth_mebibytes', growth / 1_048_576)
    for (const [code, count] of outcomes) report.figure(`mutations.${code}`, count)
  } finally {
    await probe.stop()
    await keepLog(prefix, probe.log())
    await topics.stop()
    await host.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

type Original = { kind: MediaKind; declaredSeconds: number; bytes: Buffer }

async function makeOriginals(folder: string): Promise<Original[]> {
  const small = { width: 256, height: 256, seconds: 2, rate: '24' }
  const read = async (kind: MediaKind, declaredSeconds: number, path: Promise<string>): Promise<Original> => ({
    kind,
    declaredSeconds,
    bytes: await readFile(await path),
  })
  return [
    await read(MediaKind.IMAGE, 0, makePicture(folder, 'm.jpg', 256, 256)),
    await read(MediaKind.IMAGE, 0, makePicture(folder, 'm.png', 256, 256)),
    await read(MediaKind.IMAGE, 0, makePicture(folder, 'm.webp', 256, 256)),
    await read(MediaKind.VIDEO, 2, makeClip(folder, 'm.mp4', { ...small, sound: true })),
    await read(MediaKind.VIDEO, 2, makeClip(folder, 'm.mov', small)),
    await read(MediaKind.VIDEO, 2, makeClip(folder, 'f.mp4', { ...small, options: ['-movflags', 'frag_keyframe+empty_moov'] })),
    await read(MediaKind.AUDIO, 2, makeTone(folder, 'm.mp3', 2)),
    await read(MediaKind.AUDIO, 2, makeTone(folder, 'm.wav', 2)),
  ]
}
