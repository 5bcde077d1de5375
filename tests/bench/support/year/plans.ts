import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { databases } from '../../../support/servers/databases'
import { openDatabase } from '../../../support/servers/databases'
import { settings } from '../../../support/settings'

type Node = {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  'Shared Hit Blocks'?: number
  'Shared Read Blocks'?: number
  Plans?: Node[]
}
type Logged = { 'Query Text': string; Plan: Node }

/** One statement of a service, over all of its runs. */
export type Statement = {
  database: string
  text: string
  runs: number
  msMax: number
  /** Pages of 8 kB that its largest run looked at. */
  pagesMax: number
  indexes: string[]
  /** Tables that it reads from end to end. */
  scanned: string[]
}

const logFile = () => join(dirname(settings.controlSocket), 'logs/postgres.log')

/**
 * Has Postgres log the plan of every statement that services run from now on, as it was executed. Their connections are ended, because a
 * library is loaded at the start of one. Returns what reads the plans that were logged since.
 */
export async function logPlans(names: readonly (typeof databases)[number][]): Promise<() => Statement[]> {
  const server = openDatabase('gateway')
  await server`alter system set log_line_prefix = '%d '`
  await server`select pg_reload_conf()`
  for (const name of names) {
    await server.unsafe(`alter database filmgate_${name} set session_preload_libraries = 'auto_explain'`)
    const wanted = { log_min_duration: '0', log_format: 'json', log_analyze: 'on', log_timing: 'off', log_buffers: 'on' }
    for (const [setting, value] of Object.entries(wanted))
      await server.unsafe(`alter database filmgate_${name} set auto_explain.${setting} = '${value}'`)
  }
  const from = readFileSync(logFile()).length
  await server`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = any(${names.map(name => `filmgate_${name}`)}) and pid <> pg_backend_pid()`
  await server.end()
  return () => readStatements(readFileSync(logFile()).subarray(from).toString())
}

/** The log has a line `<database> LOG:  duration: 1.2 ms  plan:` and the plan's lines behind it, each after a tab. */
export function readStatements(log: string): Statement[] {
  const statements = new Map<string, Statement>()
  for (const [, database = '', ms, json = ''] of log.matchAll(/^(\w+) LOG: {2}duration: ([\d.]+) ms {2}plan:\n((?:\t.*\n)+)/gm)) {
    const { 'Query Text': query, Plan } = JSON.parse(json) as Logged
    const text = query.replace(/\s+/g, ' ').trim()
    const key = `${database} ${text}`
    const known = statements.get(key) ?? { database, text, runs: 0, msMax: 0, pagesMax: 0, indexes: [], scanned: [] }
    const nodes = nodesOf(Plan)
    const of = (wanted: (node: Node) => string | undefined) => nodes.flatMap(node => wanted(node) ?? [])
    statements.set(key, {
      ...known,
      runs: known.runs + 1,
      msMax: Math.max(known.msMax, Number(ms)),
      pagesMax: Math.max(known.pagesMax, (Plan['Shared Hit Blocks'] ?? 0) + (Plan['Shared Read Blocks'] ?? 0)),
      indexes: [...new Set([...known.indexes, ...of(node => node['Index Name'])])],
      scanned: [...new Set([...known.scanned, ...of(node => (node['Node Type'] === 'Seq Scan' ? node['Relation Name'] : undefined))])],
    })
  }
  return [...statements.values()]
}

const nodesOf = (node: Node): Node[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)]
