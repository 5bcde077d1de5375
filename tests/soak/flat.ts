import { median } from '../bench/support/row'
import type { Report } from '../support/suite/report'
import { type Sample, services, sum } from './samples'

/** What a collector of garbage may hold at one look more than at another. */
const memoryNoiseBytes = 48 * 2 ** 20
const growthMax = 1.2
/** A generation has about 9 messages, each read by 2 or 3 groups. */
const messagesHandledPerVideo = 25
const behindSecondsMax = 5
const noiseBytesPerVideo = 512

/** Holds the last quarter of a soak against its second: the first one still warms up. Tables and topics may grow, but not faster. */
export function judgeFlat(report: Pick<Report, 'check' | 'figure'>, samples: Sample[]): void {
  const quarter = Math.floor(samples.length / 4)
  const [second, last] = [samples.slice(quarter, 2 * quarter + 1), samples.slice(-quarter - 1)]
  const megabytes = (bytes: number) => `${Math.round(bytes / 2 ** 20)} MB`
  for (const service of services) {
    const [then, now] = [second, last].map(some => median(some.map(({ memoryBytes }) => memoryBytes[service] ?? 0))) as [number, number]
    report.figure(`memory.${service}.MB`, now / 2 ** 20)
    report.check(
      `${service} needs no more memory`,
      now <= then * growthMax + memoryNoiseBytes,
      `${megabytes(then)}, later ${megabytes(now)}`,
    )
  }
  const unhandledMax = Math.max(...last.map(({ unhandledMessages }) => unhandledMessages))
  report.figure('unhandledMessages.max', unhandledMax)
  report.check(
    'consumers keep up',
    unhandledMax <= (videosPerSecond(samples) * messagesHandledPerVideo + 1) * behindSecondsMax,
    `${unhandledMax} messages are unhandled`,
  )
  for (const [what, bytesOf] of Object.entries(kept)) {
    const [then, now] = [second, last].map(some => bytesPerVideo(some, bytesOf)) as [number, number]
    report.check(
      `${what} grow no faster`,
      now <= then * growthMax + noiseBytesPerVideo,
      `${Math.round(then)} bytes a video, later ${Math.round(now)}`,
    )
  }
}

const kept: Record<string, (sample: Sample) => number> = {
  tables: ({ tableBytes }) => sum(Object.values(tableBytes)),
  topics: ({ topicBytes }) => sum(Object.values(topicBytes)),
}

function bytesPerVideo(samples: Sample[], bytesOf: (sample: Sample) => number): number {
  const [first, last] = [samples[0], samples.at(-1)]
  if (!first || !last) return Number.NaN
  return (bytesOf(last) - bytesOf(first)) / (last.posts - first.posts)
}

function videosPerSecond(samples: Sample[]): number {
  const [first, last] = [samples[0], samples.at(-1)]
  return first && last ? ((last.posts - first.posts) * 1_000) / (last.atMs - first.atMs) : Number.NaN
}
