import { isIP } from 'node:net'
import { operatorEnvironment } from '@filmgate/kit/environment/operator-environment'
import { isReleaseBuild } from '@filmgate/kit/environment/release'
import { secrets } from '@filmgate/kit/environment/secrets'
import { busVariables, databaseVariables, fetchVariables, serviceVariables } from '@filmgate/kit/environment/service-environment'
import {
  ConfigError,
  developmentOnly,
  integer,
  list,
  number,
  optional,
  type Reader,
  readVariables,
  url,
} from '@filmgate/kit/environment/variables'
import { parseEndpoint } from '@filmgate/kit/safe-fetch/endpoint'
import { parseRange, type Range } from '@filmgate/kit/safe-fetch/range'

export type Config = ReturnType<typeof readConfig>

const ranges: Reader<Range[]> = { parse: raw => list({ fallback: [] }).parse(raw).map(parseRange) }

const nameServers: Reader<string[]> = {
  parse(raw) {
    const servers = list().parse(raw)
    for (const server of servers) if (isIP(server) === 0) parseEndpoint(server)
    return servers
  },
}

const origins: Reader<string[]> = {
  parse: raw =>
    list()
      .parse(raw)
      .map(origin => url({ protocols: ['https', 'http'] }).parse(origin)),
}

/** What an attempt may take beyond its own time: to be claimed, opened, signed and recorded. */
const leaseMarginMs = 5_000

export function readConfig(env: Record<string, string | undefined>, release: boolean = isReleaseBuild) {
  const config = readVariables(env, {
    ...serviceVariables,
    ...busVariables,
    port: ['PORT', integer({ min: 0, max: 65_535, fallback: 4109 })],
    ...databaseVariables,
    operators: operatorEnvironment,
    /** The gateway's token for this service's API. */
    tokens: secrets('FILMGATE_WEBHOOKS_TOKEN', { lengthMin: 24 }),
    /** Encrypt the secrets of endpoints. Without the one that a secret is under, it can't be read. */
    secretKeys: secrets('FILMGATE_WEBHOOKS_SECRET_KEY', { lengthMin: 32 }),
    ...fetchVariables,
    /** The cluster's pod, service and node ranges, if they are public addresses. */
    forbiddenRanges: ['FILMGATE_FORBIDDEN_RANGES', ranges],
    /** Resolve endpoints' hosts instead of the system resolver: `address` or `address:port`, comma-separated. */
    nameServers: ['FILMGATE_NAME_SERVERS', optional(nameServers)],
    /** Origins of endpoints on the developer's machine, such as http://localhost:3000; comma-separated. */
    privateOrigins: ['FILMGATE_WEBHOOKS_PRIVATE_ORIGINS', developmentOnly(origins, release)],

    /** Attempts at one moment to prompt endpoints, and as many to all others. */
    attemptsMax: ['FILMGATE_WEBHOOKS_ATTEMPTS_MAX', integer({ min: 1, max: 10_000, fallback: 256 })],
    attemptTimeoutMs: ['FILMGATE_WEBHOOKS_ATTEMPT_TIMEOUT_MS', integer({ min: 100, max: 20_000, fallback: 10_000 })],
    /** The first wait after a failed attempt. Each further one is twice as long, up to four hours. */
    retryFirstMs: ['FILMGATE_WEBHOOKS_RETRY_FIRST_MS', integer({ min: 10, max: 600_000, fallback: 5_000 })],
    retryForSeconds: ['FILMGATE_WEBHOOKS_RETRY_FOR_SECONDS', integer({ min: 1, fallback: 86_400 })],
    /** An endpoint is paused after so many days of nothing but failures. */
    pauseAfterDays: ['FILMGATE_WEBHOOKS_PAUSE_AFTER_DAYS', number({ min: 0.001, max: 30, fallback: 3 })],
    keptDays: ['FILMGATE_WEBHOOKS_KEPT_DAYS', number({ min: 2, max: 400, fallback: 30 })],
    /** At least 5 s longer than an attempt: a killed service's deliveries are sent again after it. */
    leaseMs: ['FILMGATE_WEBHOOKS_LEASE_MS', integer({ min: 1_000, max: 300_000, fallback: 30_000 })],
  })
  const min = config.attemptTimeoutMs + leaseMarginMs
  if (config.leaseMs >= min) return config
  const words = '5 s more than FILMGATE_WEBHOOKS_ATTEMPT_TIMEOUT_MS: raise it or lower that'
  throw new ConfigError([`FILMGATE_WEBHOOKS_LEASE_MS must be at least ${min}, ${words}`])
}

/** The settings of the migration command. */
export const readCommandConfig = (env: Record<string, string | undefined>) =>
  readVariables(env, { ...serviceVariables, ...databaseVariables })
