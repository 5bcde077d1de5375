import { operatorEnvironment } from '@filmgate/kit/environment/operator-environment'
import { optionalSecrets, secrets } from '@filmgate/kit/environment/secrets'
import { busVariables, contact, databaseVariables, serviceVariables } from '@filmgate/kit/environment/service-environment'
import { bucketFaults, bucketOf, storeVariables } from '@filmgate/kit/environment/store-environment'
import { ConfigError, flag, integer, optional, readVariables, secret, text, url } from '@filmgate/kit/environment/variables'
import { uploadRoomVariables } from './uploads/variables'

type Environment = Record<string, string | undefined>

export type Config = ReturnType<typeof readConfig>

export function readConfig(env: Environment) {
  const config = readVariables(env, {
    ...serviceVariables,
    ...busVariables,
    port: ['PORT', integer({ min: 0, max: 65_535, fallback: 4100 })],
    /** Of /metrics, which the public port doesn't serve. */
    metricsPort: ['FILMGATE_METRICS_PORT', integer({ min: 0, max: 65_535, fallback: 4107 })],
    ...databaseVariables,
    poolMax: ['FILMGATE_POOL_MAX', integer({ min: 2, max: 200, fallback: 16 })],
    redisUrl: ['REDIS_URL', url({ protocols: ['redis', 'rediss'] })],
    keyPeppers: secrets('FILMGATE_KEY_PEPPER', { lengthMin: 32 }),
    operators: operatorEnvironment,
    /** Credits that one operator may move with one grant or debit; more needs a second one. Unset: any. */
    grantLimit: ['FILMGATE_GRANT_LIMIT', optional(integer({ min: 1 }))],
    /** Requests a minute and key; the contract says 30, load tests need more. */
    rateLimit: ['FILMGATE_RATE_LIMIT', integer({ min: 1, max: 100_000_000, fallback: 30 })],
    /** At most so many replicas of the gateway run. Without Redis each admits its share of the limit: the limit divided by this. */
    replicasMax: ['FILMGATE_REPLICAS_MAX', integer({ min: 1, max: 10_000, fallback: 1 })],
    /** Requests without a valid key, a minute and client address. */
    addressRateLimit: ['FILMGATE_ADDRESS_RATE_LIMIT', integer({ min: 1, max: 100_000_000, fallback: 120 })],
    /** An account's POSTs that may be refused after their reservation, for their media or content, in ten minutes; above it nothing is created. */
    refusalsMax: ['FILMGATE_REFUSALS_MAX', integer({ min: 1, max: 1_000_000, fallback: 100 })],
    /** Event streams that a replica holds at most, and of one key. */
    eventStreamsMax: ['FILMGATE_EVENT_STREAMS_MAX', integer({ min: 1, max: 1_000_000, fallback: 2_000 })],
    eventStreamsPerKeyMax: ['FILMGATE_EVENT_STREAMS_PER_KEY_MAX', integer({ min: 1, max: 1_000_000, fallback: 20 })],
    /** How many proxies stand before the gateway and append to X-Forwarded-For; 0 means the peer is the client. */
    trustedProxies: ['FILMGATE_TRUSTED_PROXIES', integer({ min: 0, max: 10, fallback: 0 })],
    /** How long the former secret of a rotated key works on; 0 ends it at once. */
    keyOverlapSeconds: ['FILMGATE_KEY_OVERLAP_SECONDS', integer({ min: 0, max: 2_592_000, fallback: 86_400 })],
    /** How long no event of an unfinished task has to come before its request is published again; then twice as long each time, up to a day. */
    replayAfterMs: ['FILMGATE_REPLAY_AFTER_MS', integer({ min: 1_000, max: 86_400_000, fallback: 600_000 })],
    /** How often such tasks are looked for. */
    replayEveryMs: ['FILMGATE_REPLAY_EVERY_MS', integer({ min: 100, max: 3_600_000, fallback: 10_000 })],
    /** How often tasks are deleted that were declined an hour ago. */
    forgetDeclinedEveryMs: ['FILMGATE_FORGET_DECLINED_EVERY_MS', integer({ min: 100, max: 3_600_000, fallback: 60_000 })],
    admissionTimeoutMs: ['FILMGATE_ADMISSION_TIMEOUT_MS', integer({ min: 1_000, max: 250_000, fallback: 250_000 })],
    /** Where fal publishes the keys it signs its callbacks with: https://rest.fal.ai/.well-known/jwks.json. Unset: they are hints, and nobody is asked. */
    falJwksUrl: ['FILMGATE_FAL_JWKS_URL', optional(url({ protocols: ['http', 'https'] }))],
    /** fal's id of our account there, as its callbacks name it; those of another account are hints then. */
    falUserId: ['FILMGATE_FAL_USER_ID', optional(text({ pattern: /^[!-~]{1,200}$/ }))],
    /** The dispatcher's: its callback addresses have a code made with it. Unset: any address is taken for one of ours. */
    attemptSecrets: optionalSecrets('FILMGATE_ATTEMPT_SECRET', { lengthMin: 32 }),
    /** Where people sign in: the reference leads there for a key to try it with. */
    consoleUrl: ['FILMGATE_CONSOLE_URL', optional(url({ protocols: ['http', 'https'] }))],
    /** Where people report a vulnerability of this installation (`/.well-known/security.txt`). */
    securityContact: ['FILMGATE_SECURITY_CONTACT', optional(contact())],
    /** The console's; unset: there is no internal API for it. */
    consoleTokens: optionalSecrets('FILMGATE_CONSOLE_TOKEN', { lengthMin: 24 }),
    /** What a person gets once for ever; 0: nothing. */
    starterCredits: ['FILMGATE_STARTER_CREDITS', integer({ min: 0, max: 1_000_000, fallback: 0 })],
    /** While databases are brought back: nothing is created, cancelled or replayed; reads go on. */
    recovering: ['FILMGATE_RECOVERY', flag(false)],
    /** The ledger's limit, as the console shows it; only the ledger decides by it. */
    unfinishedTasksMax: ['FILMGATE_UNFINISHED_TASKS_MAX', integer({ min: 1, max: 1_000_000, fallback: 3 })],
    ...storeVariables,
    /** The bucket of uploads; uploads are off if it is not set. */
    uploadsBucket: ['S3_UPLOADS_BUCKET', optional(text())],
    ...uploadRoomVariables,
    /** The bucket of videos and the start of their URLs. Without both, a download leads to the video's own URL, and no video is deleted early. */
    outputsBucket: ['S3_OUTPUTS_BUCKET', optional(text())],
    outputBaseUrl: ['FILMGATE_OUTPUT_BASE_URL', optional(url({ protocols: ['http', 'https'] }))],
    /** media-probe as the gateway reaches it; without it, an upload is judged only with its request. */
    mediaProbeUrl: ['FILMGATE_MEDIA_PROBE_URL', optional(url({ protocols: ['https', 'http'] }))],
    /** The webhooks service, and the token of its API. Unset: there are no webhooks. */
    webhooksUrl: ['FILMGATE_WEBHOOKS_URL', optional(url({ protocols: ['http', 'https'] }))],
    webhooksToken: ['FILMGATE_WEBHOOKS_TOKEN', optional(secret({ lengthMin: 24 }))],
    simulatorAllowed: ['FILMGATE_ALLOW_SIMULATOR', flag(false)],
  })
  if (config.falJwksUrl?.startsWith('http:') && !config.development && !config.simulatorAllowed)
    throw new ConfigError([
      'FILMGATE_FAL_JWKS_URL must start with https:// outside development (FILMGATE_DEVELOPMENT=1): anybody on the way could sign callbacks',
    ])
  if (config.consoleTokens?.some(token => config.operators.tokens.includes(token)))
    throw new ConfigError(['FILMGATE_CONSOLE_TOKEN must not be FILMGATE_OPERATOR_TOKEN: who has the one may not do what the other may'])
  const faults = [
    ...bucketFaults(config, 'S3_UPLOADS_BUCKET', config.uploadsBucket),
    ...bucketFaults(config, 'S3_OUTPUTS_BUCKET', config.outputsBucket),
  ]
  if (faults.length > 0) throw new ConfigError(faults)
  if ((config.webhooksUrl === undefined) !== (config.webhooksToken === undefined))
    throw new ConfigError(['FILMGATE_WEBHOOKS_URL and FILMGATE_WEBHOOKS_TOKEN must be set together'])
  return { ...config, uploads: bucketOf(config, config.uploadsBucket), outputs: bucketOf(config, config.outputsBucket) }
}

/** What a command needs that runs once against the database. */
const commandVariables = { ...serviceVariables, ...databaseVariables } as const

export const readCommandConfig = (env: Environment) => readVariables(env, commandVariables)

export const readRetentionConfig = (env: Environment) =>
  readVariables(env, { ...commandVariables, taskRetentionDays: ['FILMGATE_TASK_RETENTION_DAYS', integer({ min: 1, fallback: 395 })] })
