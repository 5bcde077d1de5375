import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pause } from '@filmgate/kit/deadline'
import { until } from '@filmgate/kit/testing'
import { MediaKind } from '@filmgate/proto/gen/filmgate/v1/order_pb'
import type { Report } from '../../support/suite/report'
import { padMovie } from '../edges/padding'
import { makeClip } from '../support/make-media'
import { openMediaHost } from '../support/media-host'
import { openMediaTopics } from '../support/media-topics'
import { orderOf } from '../support/orders'
import { keepLog, openProbe } from '../support/probe-process'
import { childrenOf } from '../support/processes'

const tasks = 20
const mib = 1_048_576
/** A host that takes this long for a file, so that a kill meets downloads at every stage. */
const downloadMs = 3_000
/** When each life of the service ends: within the downloads, within measuring, within the copies. */
const killsAfterMs = [1_000, 3_500, 5_000]

/** kill -9 during twenty downloads, three times over: each task is decided once, and nothing is left in S3 or on disk. */
export async function proveCrashes(report: Report, prefix: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'media-crash-'))
  const [host, topics] = [await openMediaHost(), await openMediaTopics(prefix)]
  const probe = await openProbe({
    prefix,
    env: { ...host.env, FILMGATE_LEASE_MS: '5000', FILMGATE_SWEEP_EVERY_SECONDS: '1', FILMGATE_ORPHAN_AGE_SECONDS: '2' },
  })
  try {
    const clip = await readFile(await makeClip(folder, 'crash.mp4', { width: 256, height: 256 }))
    const movie = padMovie(clip, 12 * mib)
    // Every fifth is cut short, so that refusals are cleaned up as well.
    const bodies = [movie, movie, movie, movie, padMovie(clip.subarray(0, clip.length >> 1), 12 * mib)]
    const orders = Array.from({ length: tasks }, (_, index) => {
      const url = host.serve(() => slowly(bodies[index % bodies.length] ?? movie))
      return orderOf({ inputs: [{ kind: MediaKind.VIDEO, url, declaredSeconds: 3 }] })
    })
    await probe.start()
    await topics.reserve(orders)
    await until('downloads to be under way', async () => (await probe.metric('probe_gate_inside')) >= tasks / 2, 20_000)
    for (const afterMs of killsAfterMs) {
      await pause(afterMs)
      const children = childrenOf(probe.pid())
      await probe.kill('SIGKILL')
      report.check(
        'children die with the service',
        (await until('no child', () => children.every(isGone), 5_000).catch(() => false)) === true,
      )
      await probe.start()
    }
    const outcomes = await Promise.all(
      orders.map(order => topics.outcome(order, 120_000).catch(error => ({ code: String(error), verified: undefined }))),
    )
    for (const [index, { code }] of outcomes.entries()) {
      const expected = index % bodies.length === bodies.length - 1 ? 'media_corrupt' : 'verified'
      report.check(`task ${index} ends right`, code === expected, `${code}, expected ${expected}`)
    }
    // The events that a crash may repeat are the same decision.
    for (const order of orders) report.check('a task has one decision', new Set(topics.outcomes(order).map(({ code }) => code)).size === 1)

    const held = outcomes.flatMap(({ verified }) => verified?.media.map(({ objectKey }) => objectKey) ?? []).sort()
    const stored = async () => (await probe.store.list('inputs/')).map(({ key }) => key).sort()
    const same = await until(
      'only what was handed on to be stored',
      async () => JSON.stringify(await stored()) === JSON.stringify(held),
      30_000,
    ).catch(() => false)
    report.check('no orphan in S3', same === true, `${JSON.stringify(await stored())} against ${JSON.stringify(held)}`)
    report.check('no unfinished upload in S3', (await probe.store.abandonUploads('inputs/', new Date())) === 0)
    report.check('no orphan on disk', (await probe.leftOnDisk()).length === 0, (await probe.leftOnDisk()).join(', '))
    report.figure('crash.kills', killsAfterMs.length)
    await proveDeletion(report, { topics, orders: orders.filter((_, index) => outcomes[index]?.verified), stored })
  } finally {
    await probe.stop()
    await keepLog(prefix, probe.log())
    await topics.stop()
    await host.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

type Deletion = { topics: Awaited<ReturnType<typeof openMediaTopics>>; orders: ReturnType<typeof orderOf>[]; stored(): Promise<string[]> }

/** A refused task's copies go at once, a finished one's after its day. */
async function proveDeletion(report: Report, { topics, orders, stored }: Deletion): Promise<void> {
  const [refused, finished] = orders
  if (!refused || !finished) return report.check('two tasks were verified', false)
  const has = async (taskId: string) => (await stored()).some(key => key.includes(taskId))
  await topics.end(finished, 'generationCompleted')
  await topics.end(refused, 'generationRefused')
  report.check(
    'a refused task’s copies are deleted',
    (await until('deletion', async () => !(await has(refused.taskId)), 15_000).catch(() => false)) === true,
  )
  report.check('a finished task’s copies are kept for their day', await has(finished.taskId))
}

function slowly(body: Buffer): Response {
  const pieces = 30
  const size = Math.ceil(body.length / pieces)
  return new Response(
    new ReadableStream({
      async start(controller) {
        for (let from = 0; from < body.length; from += size) {
          controller.enqueue(body.subarray(from, from + size))
          await pause(downloadMs / pieces)
        }
        controller.close()
      },
    }),
  )
}

function isGone(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return false
  } catch {
    return true
  }
}
