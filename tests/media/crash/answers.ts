import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { until } from '@filmgate/kit/testing'
import { type HostileAnswer, hostileAnswers } from '@filmgate/kit/testing/hostile-answers'
import { MediaKind } from '@filmgate/proto/gen/filmgate/v1/order_pb'
import type { Report } from '../../support/suite/report'
import { makePicture } from '../support/make-media'
import { openMediaTopics } from '../support/media-topics'
import { orderOf } from '../support/orders'
import { keepLog, openProbe } from '../support/probe-process'
import { childrenOf, filesOf } from '../support/processes'
import { openRawHost } from '../support/raw-host'

/** As many as one host may have of the places. */
const inFlightMax = 60
/** Connecting, the headers, a window without bytes, and the pipeline's own time; far below the two minutes of a whole file. */
const decidedWithinMs = 60_000

/**
 * Every status, upgrade, half-close and endless answer to a media-probe of its own: each is decided in its bounds by what it is, by the
 * same process, which keeps no connection, no file and no child of it, says nothing of an error, and goes on working.
 */
export async function proveAnswers(report: Report, prefix: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'media-answers-'))
  const picture = await readFile(await makePicture(folder, 'ok.png', 320, 256))
  const host = await openRawHost((path, socket) => {
    if (path !== '/ok.png') return hostileAnswers[Number(path.slice(1))]?.answer(socket)
    socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${picture.length}\r\n\r\n`)
    socket.write(picture)
  })
  const topics = await openMediaTopics(prefix)
  const probe = await openProbe({ prefix, env: host.env })
  const decide = async (path: string) => {
    const order = orderOf({ inputs: [{ kind: MediaKind.IMAGE, url: `${host.origin}${path}` }] })
    const startedAt = performance.now()
    await topics.reserve([order])
    const { code } = await topics.outcome(order, 250_000).catch(error => ({ code: String(error) }))
    return { code, ms: Math.round(performance.now() - startedAt) }
  }
  const decideHostile = async (hostile: HostileAnswer, index: number) => {
    const { code, ms } = await decide(`/${index}`)
    const expected = codesOf(hostile)
    report.check(
      `answer ${hostile.name}`,
      expected.includes(code) && ms < decidedWithinMs,
      `${code} after ${ms} ms, expected ${expected.join(' or ')}`,
    )
    return ms
  }
  try {
    await probe.start()
    report.check('a picture is verified before', (await decide('/ok.png')).code === 'verified')
    const took: number[] = []
    for (let from = 0; from < hostileAnswers.length; from += inFlightMax)
      took.push(
        ...(await Promise.all(
          hostileAnswers.slice(from, from + inFlightMax).map((hostile, index) => decideHostile(hostile, from + index)),
        )),
      )
    report.figure('crash.answers', hostileAnswers.length)
    report.figure('crash.answers_slowest_seconds', Math.max(...took) / 1_000)
    report.check('a picture is verified afterwards', (await decide('/ok.png')).code === 'verified')
    report.check('the service is the same process', probe.running())
    const closed = await until('connections to be closed', () => host.connections() === 0, 10_000).catch(() => false)
    report.check('no connection stays open', closed === true, `${host.connections()}`)
    const files = filesOf(probe.pid(), 'media-probe-')
    report.check('no file stays open', files.length === 0, files.join(' '))
    report.check('no child is left', childrenOf(probe.pid()).length === 0)
    const left = await probe.leftOnDisk()
    report.check('no temporary byte is left', left.length === 0, left.join(' '))
    const errors = probe.log().split('\n').filter(isError)
    report.check('no error was logged', errors.length === 0, errors.slice(0, 3).join('\n'))
  } finally {
    await probe.stop()
    await keepLog(prefix, probe.log())
    await Promise.all([topics.stop(), host.stop()])
    await rm(folder, { recursive: true, force: true })
  }
}

const isError = (line: string) => /"level":"(?:error|fatal)"|uncaught|unhandled/i.test(line)

/** What the client is told of it. Of a body that comes before its framing is seen to be wrong, the first bytes may be judged first. */
function codesOf({ outcome, bodyComesFirst }: HostileAnswer): string[] {
  if (typeof outcome === 'object') return [outcome.body === '' ? 'media_corrupt' : 'media_type_unsupported']
  return bodyComesFirst ? ['media_unreachable', 'media_type_unsupported'] : ['media_unreachable']
}
