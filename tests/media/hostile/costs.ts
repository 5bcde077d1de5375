import { readFileSync, writeFileSync } from 'node:fs'
import type { Report } from '../../support/suite/report'
import type { MediaHost } from '../support/media-host'
import type { MediaTopics } from '../support/media-topics'
import { orderOf } from '../support/orders'
import type { Probe } from '../support/probe-process'
import type { Sample } from './sample'

/** One file's share of a machine, whatever it holds: processor of the service and all its children, and the service's own memory. */
const processorSecondsMax = 6
const residentMebibytesMax = 400
const ticksPerSecond = 100

/** Decides one file after another, alone, and tells what each cost. */
export async function proveCosts(report: Report, host: MediaHost, topics: MediaTopics, probe: Probe, samples: Sample[]): Promise<void> {
  let most = { seconds: 0, mebibytes: 0 }
  for (const { name, kind, body, declaredSeconds = 0, codes } of samples) {
    forgetPeak(probe.pid())
    const before = processorSeconds(probe.pid())
    const order = orderOf({ inputs: [{ kind, url: host.serve(body), declaredSeconds }] })
    await topics.reserve([order])
    const { code, rejected } = await topics.outcome(order, 240_000)
    const [seconds, mebibytes] = [processorSeconds(probe.pid()) - before, peakMebibytes(probe.pid())]
    most = { seconds: Math.max(most.seconds, seconds), mebibytes: Math.max(most.mebibytes, mebibytes) }
    report.check(`media ${name}`, codes.includes(code), `${code} (${rejected?.message ?? ''}), expected ${codes.join(' or ')}`)
    report.check(`${name} costs little processor`, seconds <= processorSecondsMax, `${seconds} s`)
    report.check(`${name} costs little memory`, mebibytes <= residentMebibytesMax, `${mebibytes} MiB`)
    report.figure(`hostile.processor_seconds.${name}`, seconds)
  }
  report.figure('hostile.processor_seconds_at_most', most.seconds)
  report.figure('hostile.resident_mebibytes_at_most', most.mebibytes)
}

/** User and system time of a process and of its children that have ended. */
function processorSeconds(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / ticksPerSecond
}

const forgetPeak = (pid: number) => writeFileSync(`/proc/${pid}/clear_refs`, '5')
const peakMebibytes = (pid: number) => Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1_024
