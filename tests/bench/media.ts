import { randomUUID } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pause } from '@filmgate/kit/deadline'
import { until } from '@filmgate/kit/testing'
import { MediaKind } from '@filmgate/proto/gen/filmgate/v1/order_pb'
import { padMovie } from '../media/edges/padding'
import { makeClip, makePicture } from '../media/support/make-media'
import { type MediaHost, openMediaHost } from '../media/support/media-host'
import { type MediaTopics, openMediaTopics } from '../media/support/media-topics'
import { orderOf } from '../media/support/orders'
import { openProbe, type Probe } from '../media/support/probe-process'
import { cpuSecondsOf } from './support/cpu-seconds'
import { median, type Row, shown } from './support/row'

const measureScript = resolve(import.meta.dir, '../../services/media-probe/bench/measure.ts')
const mib = 1_048_576
const rounds = 12
const overlapRounds = 3
const measuringRatioMax = 1.25
const overlapRatioMax = 0.8
const crowdRatioMax = 1.3

/** What cleaning and measuring cost beside decoding alone, whether downloads wait for it, and whether a slow host is waited for. */
export default async function measure(): Promise<Row[]> {
  const folder = await mkdtemp(join(tmpdir(), 'media-bench-'))
  const prefix = `media-bench-${randomUUID().slice(0, 8)}`
  const [host, topics] = [await openMediaHost(), await openMediaTopics(prefix)]
  const probe = await openProbe({ prefix, env: host.env })
  try {
    await probe.start()
    return [...(await measuring(folder)), await overlap(folder, host, topics, probe), await crowd(folder, host, topics)]
  } finally {
    await probe.stop()
    await topics.stop()
    await host.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

/**
 * CPU of the measuring process and all its children, beside that of ffmpeg alone: what else the machine does changes how long either
 * takes, not what it costs. The best of each counts; the time is told as well.
 */
async function measuring(folder: string): Promise<Row[]> {
  const noisy = ['-vf', 'noise=alls=24:allf=t', '-b:v', '26M', '-maxrate', '27M', '-bufsize', '27M']
  const made = await makeClip(folder, 'noisy.mp4', { width: 1920, height: 1080, seconds: 15, options: noisy })
  const path = join(folder, 'fifty.mp4')
  await Bun.write(path, padMovie(await readFile(made), 50 * mib))
  const child = Bun.spawn([process.execPath, measureScript, path], { stdin: 'pipe', stdout: 'pipe', stderr: 'inherit' })
  const answers = child.stdout.getReader()
  const measure = async () => {
    child.stdin.write('go\n')
    child.stdin.flush()
    await answers.read()
  }
  const bare = () =>
    Bun.spawn(['nice', '-n', '5', 'ffmpeg', '-nostdin', '-v', 'error', '-i', path, '-f', 'null', '-'], { stdin: 'ignore' }).exited
  await measure()
  const ours: Cost[] = []
  const theirs: Cost[] = []
  for (let round = 0; round < rounds; round += 1) {
    ours.push(await costOf(measure, () => cpuSecondsOf(child.pid) + cpuSecondsOf(child.pid, 'children')))
    theirs.push(await costOf(bare, () => cpuSecondsOf('self', 'children')))
  }
  child.stdin.end()
  const least = (costs: Cost[], of: keyof Cost) => Math.min(...costs.map(cost => cost[of]))
  const ratio = least(ours, 'cpuMs') / least(theirs, 'cpuMs')
  return [
    {
      name: 'cleaning and measuring a 50 MiB video, beside ffmpeg -f null',
      ratio,
      value: least(ours, 'cpuMs'),
      unit: 'ms of CPU',
      mark: measuringRatioMax,
      holds: ratio <= measuringRatioMax,
    },
    { ...shown('the same in time', least(ours, 'tookMs'), 'ms'), ratio: least(ours, 'tookMs') / least(theirs, 'tookMs') },
  ]
}

type Cost = { cpuMs: number; tookMs: number }

async function costOf(work: () => Promise<unknown>, cpuSeconds: () => number): Promise<Cost> {
  const [startedAt, before] = [performance.now(), cpuSeconds()]
  await work()
  return { cpuMs: (cpuSeconds() - before) * 1000, tookMs: performance.now() - startedAt }
}

/**
 * Files that arrive one after another, a little slower than one is measured: the earlier are measured while the later are on their way.
 * Ideal is (6 × 1.25 + 1) ÷ (6 × 2.25) = 0.63, on a machine of any speed; 1 is nothing side by side.
 */
async function overlap(folder: string, host: MediaHost, topics: MediaTopics, probe: Probe): Promise<Row> {
  // Twelve seconds in all: what is measured of one kind has at most fifteen.
  const [files, seconds] = [6, 2]
  const clip = await readFile(await makeClip(folder, 'overlap.mp4', { width: 1920, height: 1080, seconds }))
  const decide = async (arriveAfterMs: number[]) => {
    const inputs = arriveAfterMs.map(afterMs => ({
      kind: MediaKind.VIDEO,
      declaredSeconds: seconds,
      url: host.serve(() => later(clip, afterMs)),
    }))
    const before = await probe.metric('probe_child_seconds_sum')
    const order = orderOf({ inputs })
    const startedAt = performance.now()
    await topics.reserve([order])
    const { code } = await topics.outcome(order)
    if (code !== 'verified') throw new Error(`the bench's own files were refused: ${code}`)
    const tookMs = performance.now() - startedAt
    return { tookMs, measuringMs: ((await probe.metric('probe_child_seconds_sum')) - before) * 1000 }
  }
  await decide([0])
  const arriveEveryMs = 1.25 * (await decide([0])).measuringMs
  const runs: { tookMs: number; ratio: number }[] = []
  for (let round = 0; round < overlapRounds; round += 1) {
    const { tookMs, measuringMs } = await decide(Array.from({ length: files }, (_, index) => (index + 1) * arriveEveryMs))
    runs.push({ tookMs, ratio: tookMs / (files * arriveEveryMs + measuringMs) })
  }
  const ratio = median(runs.map(run => run.ratio))
  return {
    name: 'a task whose files are measured while others arrive, beside one after the other',
    ratio,
    value: median(runs.map(run => run.tookMs)),
    unit: 'ms',
    mark: overlapRatioMax,
    holds: ratio <= overlapRatioMax,
  }
}

async function later(body: Buffer, afterMs: number): Promise<Response> {
  await pause(afterMs)
  return new Response(body)
}

/** A hundred tasks of other hosts, alone and while a hundred tasks hang on a host that never ends its answer. */
async function crowd(folder: string, host: MediaHost, topics: MediaTopics): Promise<Row> {
  const tasks = 100
  const url = host.alias(host.serve(Bun.file(await makePicture(folder, 'crowd.jpg', 320, 320))))
  const hanging = host.serve(
    () => new Response(new ReadableStream({ start: controller => void controller.enqueue(new Uint8Array([0xff, 0xd8, 0xff])) })),
  )
  const decide = async () => {
    const orders = Array.from({ length: tasks }, () => orderOf({ inputs: [{ kind: MediaKind.IMAGE, url }] }))
    const startedAt = performance.now()
    await topics.reserve(orders)
    await Promise.all(orders.map(order => topics.outcome(order)))
    return performance.now() - startedAt
  }
  await decide()
  const alone = Math.min(await decide(), await decide())
  await topics.reserve(Array.from({ length: tasks }, () => orderOf({ inputs: [{ kind: MediaKind.IMAGE, url: hanging }] })))
  await until('the host that hangs to be asked', () => host.asked(hanging) > 0)
  const crowded = Math.min(await decide(), await decide())
  if (host.asked(hanging) >= tasks) throw new Error('the host that hangs let go of its tasks before the others were done')
  const ratio = crowded / alone
  return {
    name: '100 tasks behind 100 of a host that hangs, beside the same alone',
    ratio,
    value: crowded,
    unit: 'ms',
    mark: crowdRatioMax,
    holds: ratio <= crowdRatioMax,
  }
}
