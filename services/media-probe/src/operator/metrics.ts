import type { Sql } from '@filmgate/kit/database/postgres'
import { gauge } from '@filmgate/kit/telemetry/metrics'
import type { FoundTools } from '../child/find-tools'
import type { Gate } from '../fetching/gate'
import type { WorkFolder } from '../fetching/work-folder'
import { countOpen } from '../verification/verification-repository'

export type MetricsDeps = { sql: Sql; tools: FoundTools; workFolder: WorkFolder; diskBytesMax: number; gates: Record<string, Gate> }

/** Metrics for operators and the autoscaler. `probe_tasks_open` counts all undecided tasks in the database. */
export function exposeMetrics({ sql, tools, workFolder, diskBytesMax, gates }: MetricsDeps): void {
  const attributes = { ffprobe_version: tools.ffprobeVersion, ffmpeg_version: tools.ffmpegVersion, isolation: tools.isolation }
  gauge('probe_info', 'The measuring tools, and how far their processes are isolated: landlock, or seccomp alone', () => [
    { value: 1, attributes },
  ])
  gauge('probe_tasks_open', 'Undecided tasks', () => countOpen(sql))
  gauge('probe_disk_bytes', 'Bytes of downloads and copies on disk', () => workFolder.bytes())
  gauge('probe_disk_bytes_max', 'Limit of the bytes of downloads and copies on disk', () => diskBytesMax)
  gauge('probe_gate_inside', 'Files being downloaded, measured, copied', () =>
    Object.entries(gates).map(([gate, { inUse }]) => ({ value: inUse(), attributes: { gate } })),
  )
  gauge('probe_gate_waiting', 'Files waiting for a slot', () =>
    Object.entries(gates).map(([gate, { waiting }]) => ({ value: waiting(), attributes: { gate } })),
  )
}
