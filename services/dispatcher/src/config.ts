import { join } from 'node:path'
import { operatorEnvironment } from '@filmgate/kit/environment/operator-environment'
import { busVariables, databaseVariables, fetchVariables, serviceVariables } from '@filmgate/kit/environment/service-environment'
import { storeKeyFaults, storeKeyVariables } from '@filmgate/kit/environment/store-environment'
import { ConfigError, flag, integer, optional, readVariables, secret, text, url } from '@filmgate/kit/environment/variables'
import { parseRange } from '@filmgate/kit/safe-fetch/range'
import { outsideFaults, outsideSettings } from './providers/outside-providers'

export type Config = ReturnType<typeof readConfig>

/** routes/ is next to src/ and dist/. */
export const ownRoutes = join(import.meta.dir, '..', 'routes')

const http = { protocols: ['http', 'https'] }
const day = 86_400_000

const ranges = {
  parse: (raw: string | undefined) => (raw ?? '').split(',').filter(Boolean).map(parseRange),
}

const storage = {
  s3Endpoint: ['S3_ENDPOINT', url(http)],
  s3Region: ['S3_REGION', text({ fallback: 'us-east-1' })],
  ...storeKeyVariables,
  inputsBucket: ['S3_INPUTS_BUCKET', text()],
  outputsBucket: ['S3_OUTPUTS_BUCKET', text()],
  /** Without it the bucket's own policy has to make outputs readable. */
  outputsPublicRead: ['S3_OUTPUTS_PUBLIC_READ', flag(false)],
  outputBaseUrl: ['FILMGATE_OUTPUT_BASE_URL', url(http)],
} as const

const attempts = {
  /** Attempts' ids are made with it. All dispatchers have the same. With a new one, only an attempt that is lost gets another id. */
  attemptSecret: ['FILMGATE_ATTEMPT_SECRET', secret({ lengthMin: 32 })],
  /** An attempt whose lease ends without renewal is taken over: so long after a crash it is looked up. */
  /** While databases are brought back: nothing is submitted; polls, look-ups and copies go on. */
  recovering: ['FILMGATE_RECOVERY', flag(false)],
  leaseMs: ['FILMGATE_ATTEMPT_LEASE_MS', integer({ min: 1_000, max: 600_000, fallback: 12_000 })],
  submitTimeoutMs: ['FILMGATE_SUBMIT_TIMEOUT_MS', integer({ min: 100, max: 240_000, fallback: 30_000 })],
  readTimeoutMs: ['FILMGATE_PROVIDER_READ_TIMEOUT_MS', integer({ min: 100, max: 120_000, fallback: 10_000 })],
  submitsMax: ['FILMGATE_SUBMITS_MAX', integer({ min: 1, max: 10_000, fallback: 256 })],
  /** At all providers together; what one of them is asked about at once is its connector's `budget`. */
  pollsMax: ['FILMGATE_POLLS_MAX', integer({ min: 1, max: 10_000, fallback: 1_000 })],
  claimEveryMs: ['FILMGATE_CLAIM_EVERY_MS', integer({ min: 10, max: 60_000, fallback: 250 })],
  generationTimeoutMs: ['FILMGATE_GENERATION_TIMEOUT_MS', integer({ min: 100, fallback: 7_200_000 })],
  /** How often, over its visibility bound, a provider must know nothing of an attempt while it shows others of ours, before that proves anything. */
  absenceSightingsMin: ['FILMGATE_ABSENCE_SIGHTINGS_MIN', integer({ min: 2, max: 1_000, fallback: 3 })],
  /** More accepted attempts than this missing at a provider within the window, and more than this percentage of its running ones, stop refunds. */
  vanishedMax: ['FILMGATE_VANISHED_MAX', integer({ min: 1, fallback: 5 })],
  vanishedPercentMax: ['FILMGATE_VANISHED_PERCENT_MAX', integer({ min: 0, max: 100, fallback: 5 })],
  vanishedWindowMs: ['FILMGATE_VANISHED_WINDOW_MS', integer({ min: 100, fallback: 600_000 })],
  /** An uncertain generation counts among its account's unfinished tasks so long after its submit at most. */
  reviewCountsMsMax: ['FILMGATE_REVIEW_COUNTS_MAX_MS', integer({ min: 1_000, max: 3_600_000, fallback: 3_600_000 })],
  overduePollMs: ['FILMGATE_OVERDUE_POLL_MS', integer({ min: 100, fallback: 60_000 })],
  /** Reviews that one operator may refund or accept with one command; more need a second one. */
  bulkReviewLimit: ['FILMGATE_BULK_REVIEW_LIMIT', integer({ min: 1, fallback: 100 })],
  attemptRetentionDays: ['FILMGATE_ATTEMPT_RETENTION_DAYS', integer({ min: 1, fallback: 395 })],
  /** Presigned URLs of inputs; a provider may wait that long before it reads them. */
  inputUrlSeconds: ['FILMGATE_INPUT_URL_SECONDS', integer({ min: 60, max: 604_800, fallback: 86_400 })],
  /** Whether providers can read those URLs. Unset: they can where S3_ENDPOINT is https on a public name or address. */
  inputsPublic: ['FILMGATE_INPUTS_PUBLIC', optional(flag())],
  /** Of all inputs of an order, to a provider with a storage of its own, where they can't. */
  uploadTimeoutMs: ['FILMGATE_INPUT_UPLOAD_TIMEOUT_MS', integer({ min: 100, max: 240_000, fallback: 60_000 })],
} as const

const outputs = {
  copiesMax: ['FILMGATE_COPIES_MAX', integer({ min: 1, max: 1_000, fallback: 4 })],
  outputBytesMax: ['FILMGATE_OUTPUT_BYTES_MAX', integer({ min: 1, fallback: 1_073_741_824 })],
  outputTimeoutMs: ['FILMGATE_OUTPUT_TIMEOUT_MS', integer({ min: 100, fallback: 600_000 })],
  /** Beside those: copies that failed before and are tried again. */
  recopiesMax: ['FILMGATE_RECOPIES_MAX', integer({ min: 1, max: 1_000, fallback: 2 })],
  outputRetryFirstMs: ['FILMGATE_OUTPUT_RETRY_FIRST_MS', integer({ min: 1, fallback: 5_000 })],
  outputRetryMsMax: ['FILMGATE_OUTPUT_RETRY_MAX_MS', integer({ min: 1, fallback: 900_000 })],
  /** A copy that fails for so long is held for review; from then on it is tried this often. */
  outputRetryForMs: ['FILMGATE_OUTPUT_RETRY_FOR_MS', integer({ min: 1, fallback: 21_600_000 })],
  /**
   * It is held after this if its host answers without a video and our own egress works. So is a generation whose
   * provider reports a status that we don't know for this long.
   */
  outputReviewAfterMs: ['FILMGATE_OUTPUT_REVIEW_AFTER_MS', integer({ min: 1, fallback: 900_000 })],
  outputReviewRetryMs: ['FILMGATE_OUTPUT_REVIEW_RETRY_MS', integer({ min: 100, fallback: 3_600_000 })],
  /** A file that is no video is read again after this, before that is believed. */
  outputRereadMs: ['FILMGATE_OUTPUT_REREAD_MS', integer({ min: 1, fallback: 600_000 })],
  /** A provider's URL that leads nowhere (404, 410) so often, over so long, is gone. */
  outputGoneSightingsMin: ['FILMGATE_OUTPUT_GONE_SIGHTINGS_MIN', integer({ min: 2, max: 1_000, fallback: 5 })],
  outputGoneMs: ['FILMGATE_OUTPUT_GONE_MS', integer({ min: 1, fallback: 3_600_000 })],
  outputRetentionMs: ['FILMGATE_OUTPUT_RETENTION_MS', integer({ min: 1, fallback: 30 * day })],
  expireEveryMs: ['FILMGATE_OUTPUT_EXPIRE_EVERY_MS', integer({ min: 100, fallback: 3_600_000 })],
  /** CIDR ranges of our own network that no output may come from, public or not. */
  forbiddenRanges: ['FILMGATE_FORBIDDEN_RANGES', ranges],
} as const

/** When new orders are kept from a provider (src/holds/hold.ts). */
const holds = {
  /** False: only operators keep them. */
  submitHolds: ['FILMGATE_SUBMIT_HOLDS', flag(true)],
  /** So many submits of unknown outcome within the window. */
  submitsUnknownMax: ['FILMGATE_SUBMITS_UNKNOWN_MAX', integer({ min: 1, max: 1_000, fallback: 5 })],
  submitsUnknownWindowMs: ['FILMGATE_SUBMITS_UNKNOWN_WINDOW_MS', integer({ min: 1_000, max: 600_000, fallback: 60_000 })],
  /** So many that are unknown, or unanswered for longer than this. With its probes, a silent provider has fewer than 50 after ten minutes at 5 orders a second. */
  submitsUndecidedMax: ['FILMGATE_SUBMITS_UNDECIDED_MAX', integer({ min: 1, max: 10_000, fallback: 10 })],
  submitSlowMs: ['FILMGATE_SUBMIT_SLOW_MS', integer({ min: 100, max: 240_000, fallback: 3_000 })],
  /** Between the orders that try it, twice as long each time. */
  submitProbeFirstMs: ['FILMGATE_SUBMIT_PROBE_FIRST_MS', integer({ min: 100, max: 600_000, fallback: 10_000 })],
  submitProbeMsMax: ['FILMGATE_SUBMIT_PROBE_MAX_MS', integer({ min: 100, max: 600_000, fallback: 30_000 })],
  /** The same where it refuses our key or says that our balance is empty. */
  accountProbeFirstMs: ['FILMGATE_ACCOUNT_PROBE_FIRST_MS', integer({ min: 100, max: 3_600_000, fallback: 60_000 })],
  accountProbeMsMax: ['FILMGATE_ACCOUNT_PROBE_MAX_MS', integer({ min: 100, max: 3_600_000, fallback: 300_000 })],
} as const

const providers = {
  /** A folder of routing files that take the place of ours of the same names. */
  routesDir: ['FILMGATE_ROUTES_DIR', optional(text())],
  /** Public base of the gateway, where providers call back. Unset: they are not asked to. */
  callbackBaseUrl: ['FILMGATE_CALLBACK_BASE_URL', optional(url(http))],
  /** How often this folder and the files of keys are looked at. A mounted folder changes by a link being swapped, which no watcher reliably tells. */
  routesLookEveryMs: ['FILMGATE_ROUTES_LOOK_EVERY_MS', integer({ min: 50, max: 60_000, fallback: 1_000 })],
  outside: outsideSettings,
  /** Whether Ark is sent attempts' ids in its field for end users (safety_identifier), by which a lost answer is found again. */
  arkMarksAttempts: ['FILMGATE_ARK_MARK_ATTEMPTS', flag(false)],
  simulatorUrl: ['FILMGATE_SIMULATOR_URL', optional(url(http))],
  simulatorKey: ['SIMULATOR_KEY', optional(secret())],
  simulatorVisibilityMs: ['SIMULATOR_VISIBILITY_MS', integer({ min: 0, fallback: 150_000 })],
  /** Its first poll; later ones wait half as long again each, up to ten seconds or this. */
  simulatorFirstPollMs: ['SIMULATOR_FIRST_POLL_MS', integer({ min: 1, fallback: 1_000 })],
  simulatorOutputUrl: ['SIMULATOR_PUBLIC_URL', optional(url(http))],
  simulatorAllowed: ['FILMGATE_ALLOW_SIMULATOR', flag(false)],
} as const

/** Parses the environment once. */
export function readConfig(env: Record<string, string | undefined>) {
  const config = readVariables(env, {
    ...serviceVariables,
    ...busVariables,
    ...fetchVariables,
    ...databaseVariables,
    ...storage,
    ...attempts,
    ...outputs,
    ...holds,
    ...providers,
    port: ['PORT', integer({ min: 0, max: 65_535, fallback: 4104 })],
    poolMax: ['FILMGATE_POOL_MAX', integer({ min: 2, max: 200, fallback: 8 })],
    operators: operatorEnvironment,
  })
  const faults = [
    ...storeKeyFaults(config),
    // A paying client must never get a simulated video.
    ...(config.simulatorUrl && !config.development && !config.simulatorAllowed
      ? ['FILMGATE_SIMULATOR_URL needs FILMGATE_ALLOW_SIMULATOR=1 outside development (FILMGATE_DEVELOPMENT=1)']
      : []),
    ...outsideFaults(config.outside, config.development || config.simulatorAllowed),
    ...(config.simulatorUrl && !config.simulatorKey ? ['SIMULATOR_KEY is not set, and FILMGATE_SIMULATOR_URL is'] : []),
  ]
  if (faults.length > 0) throw new ConfigError(faults)
  return config
}

/** What the commands beside the service need. */
export const readCommandConfig = (env: Record<string, string | undefined>) =>
  readVariables(env, { ...serviceVariables, ...databaseVariables })
