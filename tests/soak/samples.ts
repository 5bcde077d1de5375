import { readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { processTree } from '@filmgate/tools/stack/process/process-tree'
import { cpuSecondsOf } from '../bench/support/cpu-seconds'
import { databases, openDatabase } from '../support/servers/databases'
import { scrapeAll } from '../support/servers/metrics'
import { settings } from '../support/settings'
import { pidOf } from '../support/stack'

/** The services themselves. The simulator stands in for others' machines, and the rest is the servers. */
export const services = ['gateway', 'ledger', 'catalog', 'media-probe', 'dispatcher', 'console', 'webhooks'] as const
const servers = ['postgres', 'kafka', 'redis', 's3'] as const
export const parts = [...services, ...servers]

/** By the name of a part, a table (`database.table`) or a topic. */
type By = Record<string, number>

export type Sample = {
  atMs: number
  /** Bought so far. */
  posts: number
  /** Resident, its children's with it. */
  memoryBytes: By
  cpuSeconds: By
  /** With indexes and what is stored out of line. */
  tableBytes: By
  topicBytes: By
  walBytes: number
  /** Of all partitions. */
  unhandledMessages: number
}

const pageBytes = 4_096

/** What the stack uses and holds at this moment. */
export async function takeSample(posts: number): Promise<Sample> {
  const memoryBytes: By = {}
  const cpuSeconds: By = {}
  for (const part of parts) {
    const pids = processTree(await pidOf(part))
    memoryBytes[part] = sum(pids.map(residentBytes))
    cpuSeconds[part] = sum(pids.map(cpuOrNothing))
  }
  const metrics = await scrapeAll()
  return {
    atMs: performance.now(),
    posts,
    memoryBytes,
    cpuSeconds,
    ...(await readDatabases()),
    topicBytes: readTopics(),
    unhandledMessages: sum(metrics.filter(({ metric }) => metric === 'bus_consumer_unhandled').map(({ value }) => value)),
  }
}

export const sum = (numbers: number[]): number => numbers.reduce((total, one) => total + one, 0)

function residentBytes(pid: number): number {
  try {
    return Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]) * pageBytes
  } catch {
    return 0
  }
}

/** A child may end between the two looks. */
function cpuOrNothing(pid: number): number {
  try {
    return cpuSecondsOf(pid) + cpuSecondsOf(pid, 'children')
  } catch {
    return 0
  }
}

async function readDatabases(): Promise<{ tableBytes: By; walBytes: number }> {
  const tableBytes: By = {}
  let walBytes = 0
  for (const database of databases) {
    const sql = openDatabase(database)
    try {
      const tables = await sql<{ name: string; bytes: number }[]>`
        select relname as name, pg_total_relation_size(relid)::float8 as bytes from pg_stat_user_tables`
      for (const { name, bytes } of tables) tableBytes[`${database}.${name}`] = bytes
      const [wal] = await sql<{ bytes: number }[]>`select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 as bytes`
      walBytes = wal?.bytes ?? 0
    } finally {
      await sql.end()
    }
  }
  return { tableBytes, walBytes }
}

/** Of the broker's files: indexes are made at their full size and would hide what is written. */
function readTopics(): By {
  const folder = join(dirname(settings.controlSocket), 'kafka')
  const topicBytes: By = {}
  for (const partition of readdirSync(folder)) {
    const topic = /^(filmgate\..+)-\d+$/.exec(partition)?.[1]
    if (!topic) continue
    const segments = readdirSync(join(folder, partition)).filter(file => file.endsWith('.log'))
    topicBytes[topic] = (topicBytes[topic] ?? 0) + sum(segments.map(file => statSync(join(folder, partition, file)).size))
  }
  return topicBytes
}
