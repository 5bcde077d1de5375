import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { operatorEnvironment } from '@filmgate/kit/environment/operator-environment'
import { isReleaseBuild } from '@filmgate/kit/environment/release'
import {
  busVariables,
  databaseVariables,
  fetchVariables,
  sampleMediaVariables,
  serviceVariables,
} from '@filmgate/kit/environment/service-environment'
import { storeKeyFaults, storeKeyVariables } from '@filmgate/kit/environment/store-environment'
import {
  ConfigError,
  developmentOnly,
  flag,
  integer,
  list,
  optional,
  type Reader,
  readVariables,
  text,
  url,
} from '@filmgate/kit/environment/variables'
import { type Endpoint, parseEndpoint } from '@filmgate/kit/safe-fetch/endpoint'
import { parseRange, type Range } from '@filmgate/kit/safe-fetch/range'

export type Config = ReturnType<typeof readConfig>

const gibibyte = 1_073_741_824

const ranges: Reader<Range[]> = { parse: raw => list({ fallback: [] }).parse(raw).map(parseRange) }

/** Public resolvers on port 443, the port of all media. If any accepts a connection, our egress works. */
const publicEndpoints = ['1.1.1.1:443', '8.8.8.8:443', '9.9.9.9:443', '[2606:4700:4700::1111]:443', '[2001:4860:4860::8888]:443']

const endpoints = (fallback: string[]): Reader<Endpoint[]> => ({ parse: raw => list({ fallback }).parse(raw).map(parseEndpoint) })

const nameServers: Reader<string[]> = {
  parse(raw) {
    const servers = list().parse(raw)
    for (const server of servers) if (isIP(server) === 0) parseEndpoint(server)
    return servers
  },
}

const readableFile: Reader<string> = {
  parse(raw) {
    try {
      return readFileSync(raw ?? '', 'utf8')
    } catch {
      throw new Error(`can't be read: ${raw}`)
    }
  },
}

export function readConfig(env: Record<string, string | undefined>, release: boolean = isReleaseBuild) {
  const config = readVariables(env, {
    ...serviceVariables,
    ...busVariables,
    port: ['PORT', integer({ min: 0, max: 65_535, fallback: 4103 })],
    ...databaseVariables,
    s3Endpoint: ['S3_ENDPOINT', url({ protocols: ['http', 'https'] })],
    s3Region: ['S3_REGION', text({ fallback: 'us-east-1' })],
    ...storeKeyVariables,
    inputsBucket: ['S3_INPUTS_BUCKET', text()],
    /** The bucket of uploads. Without it, an input that is an upload is refused. */
    uploadsBucket: ['S3_UPLOADS_BUCKET', optional(text())],

    operators: operatorEnvironment,
    recovering: ['FILMGATE_RECOVERY', flag(false)],

    ffprobe: ['FILMGATE_FFPROBE', text({ fallback: 'ffprobe' })],
    ffmpeg: ['FILMGATE_FFMPEG', text({ fallback: 'ffmpeg' })],
    isolation: ['FILMGATE_ISOLATION', optional(text({ pattern: /^(?:landlock|seccomp)$/ }))],
    childDeadlineMs: ['FILMGATE_CHILD_DEADLINE_MS', integer({ min: 1_000, max: 200_000, fallback: 90_000 })],
    /**
     * Every allowed 5760 × 5760 video in 8 or 10 bits needs less. FILMGATE_MEASURES_MAX children of this size must fit
     * into memory.
     */
    childMemoryBytesMax: ['FILMGATE_CHILD_MEMORY_BYTES_MAX', integer({ min: gibibyte / 4, fallback: 1.25 * gibibyte })],
    /** CPU time of all children of a task. 30 s of 4K at 60 frames/s in 10-bit HEVC take 70 s. */
    taskCpuSecondsMax: ['FILMGATE_TASK_CPU_SECONDS_MAX', integer({ min: 10, fallback: 180 })],
    workFolder: ['FILMGATE_WORK_FOLDER', text({ fallback: join(tmpdir(), 'filmgate-media-probe') })],

    /** The cluster's pod, service and node ranges, if they are public addresses. */
    forbiddenRanges: ['FILMGATE_FORBIDDEN_RANGES', ranges],
    /**
     * Resolve the hosts of clients' URLs instead of the system resolver: `address` or `address:port`, comma-separated.
     */
    nameServers: ['FILMGATE_NAME_SERVERS', optional(nameServers)],
    /** Endpoints that test our egress: a connection is opened and nothing is sent. Comma-separated. */
    egressControls: ['FILMGATE_EGRESS_CONTROLS', endpoints(publicEndpoints)],
    ...fetchVariables,
    ...sampleMediaVariables(release),
    sampleMediaCa: ['FILMGATE_SAMPLE_MEDIA_CA', developmentOnly(readableFile, release)],

    /** Concurrent tasks. A task that waits for its host costs little. */
    tasksMax: ['FILMGATE_TASKS_MAX', integer({ min: 1, max: 10_000, fallback: 256 })],
    downloadsMax: ['FILMGATE_DOWNLOADS_MAX', integer({ min: 2, max: 2_000, fallback: 128 })],
    measuresMax: ['FILMGATE_MEASURES_MAX', integer({ min: 1, max: 256, fallback: availableParallelism() })],
    copiesMax: ['FILMGATE_COPIES_MAX', integer({ min: 1, max: 256, fallback: 8 })],
    /** Upper bound of the work folder's size, a little below the chart's 2 GiB volume. */
    diskBytesMax: ['FILMGATE_DISK_BYTES_MAX', integer({ min: gibibyte / 4, fallback: 2_000_000_000 })],
    downloadTimeoutMs: ['FILMGATE_DOWNLOAD_TIMEOUT_MS', integer({ min: 1_000, max: 240_000, fallback: 120_000 })],

    /** Posters drawn concurrently; 0 disables posters. */
    postersMax: ['FILMGATE_POSTERS_MAX', integer({ min: 0, max: 16, fallback: 1 })],
    inputsKeptSeconds: ['FILMGATE_INPUTS_KEPT_SECONDS', integer({ min: 0, fallback: 86_400 })],
    sweepEverySeconds: ['FILMGATE_SWEEP_EVERY_SECONDS', integer({ min: 1, fallback: 600 })],
    /** Longer than any admission, so that copies of a running task are not taken for orphans. */
    orphanAgeSeconds: ['FILMGATE_ORPHAN_AGE_SECONDS', integer({ min: 1, fallback: 1_800 })],
    leaseMs: ['FILMGATE_LEASE_MS', integer({ min: 1_000, max: 120_000, fallback: 15_000 })],
  })
  if (config.sampleMediaCa && !config.sampleMediaOrigins)
    throw new ConfigError(['FILMGATE_SAMPLE_MEDIA_CA needs FILMGATE_SAMPLE_MEDIA_ORIGIN'])
  const keyFaults = storeKeyFaults(config)
  if (keyFaults.length > 0) throw new ConfigError(keyFaults)
  return config
}

/** The settings of the migration command. */
export const readCommandConfig = (env: Record<string, string | undefined>) =>
  readVariables(env, { ...serviceVariables, ...databaseVariables })
