import type { Report } from '../support/suite/report'
import { parts, type Sample } from './samples'

type Soaked = { idle: readonly [Sample, Sample]; samples: Sample[] }

/** What one video costs, with its polls, and what each part takes when nothing is asked of it. */
export function reportCosts(report: Pick<Report, 'figure'>, { idle, samples }: Soaked): void {
  const [first, last] = [samples[0], samples.at(-1)]
  if (!first || !last) return
  const secondsOf = ([from, to]: readonly [Sample, Sample]) => (to.atMs - from.atMs) / 1_000
  const videos = last.posts - first.posts
  const perSecond = videos / secondsOf([first, last])
  const coresOf = (part: string, [from, to]: readonly [Sample, Sample]) =>
    ((to.cpuSeconds[part] ?? 0) - (from.cpuSeconds[part] ?? 0)) / secondsOf([from, to])
  for (const part of parts) {
    const idleCores = coresOf(part, idle)
    report.figure(`cpu.${part}.idleCores`, idleCores)
    report.figure(`cpu.${part}.msPerVideo`, ((coresOf(part, [first, last]) - idleCores) * 1_000) / perSecond)
  }
  const grown = (before: Record<string, number>, after: Record<string, number>) =>
    Object.entries(after)
      .map(([name, bytes]) => [name, (bytes - (before[name] ?? 0)) / videos] as const)
      .filter(([, bytes]) => bytes >= 1)
  for (const [table, bytes] of grown(first.tableBytes, last.tableBytes)) report.figure(`bytesPerVideo.table.${table}`, bytes)
  for (const [topic, bytes] of grown(first.topicBytes, last.topicBytes)) report.figure(`bytesPerVideo.topic.${topic}`, bytes)
  report.figure('bytesPerVideo.wal', (last.walBytes - first.walBytes) / videos)
}
