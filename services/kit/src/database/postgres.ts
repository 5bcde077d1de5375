import postgres from 'postgres'
import { backoffMs } from '../deadline'
import { takeTls } from './tls'

export type Sql = postgres.Sql<{ int8: number }>
export type TransactionSql = postgres.TransactionSql<{ int8: number }>
/** Part of a statement, to stand in a larger one. */
export type Fragment = postgres.PendingQuery<postgres.Row[]>

export type PostgresOptions = {
  url: string
  /** Postgres itself, where `url` leads to a pooler. */
  directUrl?: string | undefined
  poolMax: number
  applicationName: string
  /** The server ends a statement that runs longer. */
  statementTimeoutMs?: number
  connectTimeoutSeconds?: number
}

/** What a statement's end may take from the server to here before the connection counts as lost. */
const silenceGraceMs = 5_000

const reconnectMaxMs = 1_000

const statementTimeoutMsDefault = 10_000

/** The server that ends a statement may be the one that is gone: then the kernel would go on sending for a quarter of an hour. */
const silenceTimeoutSeconds = (statementTimeoutMs: number): number => (statementTimeoutMs + silenceGraceMs) / 1_000

/** What each of our connections needs set. A pooler refuses them at a connection's start; there they are kept with the role (keepSettings). */
export const sessionSettings = (statementTimeoutMs = statementTimeoutMsDefault) => ({
  statement_timeout: statementTimeoutMs,
  idle_in_transaction_session_timeout: 60_000,
  // Statements look rows up by key. A plan made while a table was young would scan it for as long as the connection keeps the plan.
  enable_seqscan: 'off' as const,
  // Rows come as arrays, whose length the server guesses; planning for each length anew took a third of a projection's time.
  plan_cache_mode: 'force_generic_plan' as const,
})

/** The way to Postgres itself of each pool that goes through a pooler. */
const directOptions = new WeakMap<object, object>()

/**
 * A pool. bigint columns arrive as numbers: every one of ours is checked to stay below 2^53. With `directUrl` it goes through a pooler that
 * may give each transaction another connection: no session state, settings from the role.
 */
export function connectPostgres({ url, directUrl, applicationName, ...options }: PostgresOptions): Sql {
  const { poolMax, statementTimeoutMs = statementTimeoutMsDefault, connectTimeoutSeconds = 3 } = options
  const open = (address: string, settings: object) => {
    const { url: to, ...tls } = takeTls(address)
    return postgres(to, {
      ...tls,
      silence_timeout: silenceTimeoutSeconds(statementTimeoutMs),
      max: poolMax,
      connect_timeout: connectTimeoutSeconds,
      // In seconds. A server that is back is met within a second; the driver's own waits grow to twenty, and outlive leases and deadlines.
      backoff: retries => backoffMs(retries, 50, reconnectMaxMs) / 1_000,
      idle_timeout: 300,
      max_lifetime: 3_600,
      onnotice: () => {},
      types: { int8: { to: 20, from: [20], parse: (raw: string) => Number(raw), serialize: (value: number) => String(value) } },
      connection: { application_name: applicationName, ...settings },
    }) as Sql
  }
  const settings = sessionSettings(statementTimeoutMs)
  if (directUrl === undefined) return open(url, settings)
  const pooled = open(url, {})
  directOptions.set(pooled.options, open(directUrl, settings).options)
  return pooled
}

/** Does `work` on a connection of its own beside the pool's and round a pooler, where a statement may run for `statementTimeoutMs`. */
export async function onOwnConnection<T>({ options }: Sql, statementTimeoutMs: number, work: (sql: Sql) => Promise<T>): Promise<T> {
  const direct = (directOptions.get(options) ?? options) as typeof options
  const connection = { ...direct.connection, statement_timeout: statementTimeoutMs }
  // Options once parsed are taken as they are; their types know only those to parse.
  const own = postgres({ ...direct, max: 1, silence_timeout: silenceTimeoutSeconds(statementTimeoutMs), connection } as object) as Sql
  try {
    return await work(own)
  } finally {
    await own.end({ timeout: 1 })
  }
}

/**
 * SQLSTATEs that pass: connection, resources, operator intervention, serialization, locks, a primary become a replica, an idle session
 * ended; and what an operator or the machine is at fault for: login, the database's name, grants, configuration, I/O.
 */
const transientStates = /^(08|28|53|57|58|F0|3D000|40001|40003|40P01|42501|55P03|25006|25P03)/
const transientCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'CONNECTION_CLOSED',
  'CONNECTION_ENDED',
  'CONNECTION_DESTROYED',
  'CONNECT_TIMEOUT',
  'AUTH_TYPE_NOT_IMPLEMENTED',
  'SASL_SIGNATURE_MISMATCH',
])

/** A certificate that is refused: an operator's authority, name or date is wrong, never the data. */
const untrusted = /^(CERT_|ERR_TLS_|SELF_SIGNED_|DEPTH_ZERO_|UNABLE_TO_|HOSTNAME_MISMATCH)/

const codeOf = (error: Error): string => ('code' in error && typeof error.code === 'string' ? error.code : '')

/** True where trying again later may succeed without anything being mended in the data. */
export function isTransient(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.some(isTransient)
  if (!(error instanceof Error)) return false
  const code = codeOf(error)
  return error.name === 'DeadlineError' || transientCodes.has(code) || transientStates.test(code) || untrusted.test(code)
}

/** True where the database refuses a value: data exceptions and broken constraints. */
export const isDataFault = (error: unknown): boolean => error instanceof postgres.PostgresError && /^2[23]/.test(error.code)
