import type { Sql } from '@filmgate/kit/database/postgres'
import { gauge } from '@filmgate/kit/telemetry/metrics'
import type { FoundTools } from '../child/find-tools'
import type { Gate } from '../fetching/gate'
import type { WorkFolder } from '../fetching/work-folder'
import { countOpen } from '../verification/verification-repository'

export type MetricsDeps = { sql: Sql; tools: FoundTools; workFolder: WorkFolder; diskBytesMax: number; gates: Record<string, Gate> }

/** What an operator and a scaler read. `probe_tasks_open` counts tasks, in work or waiting, in the whole database. */
export function exposeMetrics({ sql, tools, workFolder, diskBytesMax, gates }: MetricsDeps): void {
  const attributes = { ffprobe_version: tools.ffprobeVersion, ffmpeg_version: tools.ffmpegVersion, isolation: tools.isolation }
  gauge('probe_info', 'The measuring tools and how far they are kept apart', () => [{ value: 1, attributes }])
  gauge('probe_tasks_open', 'Tasks whose media are not decided yet', () => countOpen(sql))
  gauge('probe_disk_bytes', 'Bytes of downloads and copies on disk', () => workFolder.bytes())
  gauge('probe_disk_bytes_max', 'Bytes of downloads and copies that may be on disk', () => diskBytesMax)
  gauge('probe_gate_inside', 'Files being downloaded, measured, copied', () =>
    Object.entries(gates).map(([gate, { inUse }]) => ({ value: inUse(), attributes: { gate } })),
  )
  gauge('probe_gate_waiting', 'Files waiting for it', () =>
    Object.entries(gates).map(([gate, { waiting }]) => ({ value: waiting(), attributes: { gate } })),
  )
}
