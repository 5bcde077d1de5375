import { serviceVariables } from '@filmgate/kit/environment/service-environment'
import { ConfigError, integer, list, optional, readVariables, secret, text, url } from '@filmgate/kit/environment/variables'
import { signInFaults, signInVariables } from './auth/variables'
import { billingFaults, billingVariables } from './billing/variables'
import { operateEnvironment } from './operate/variables'
import { uploadRoomVariables } from './uploads/variables'

type Environment = Record<string, string | undefined>

export type Config = ReturnType<typeof readConfig>

const storeVariables = {
  /** The bucket of uploads; uploads are off if it is not set. */
  uploadsBucket: ['S3_UPLOADS_BUCKET', optional(text())],
  /** The bucket of videos and the start of their URLs. With both, a download is a signed URL that the browser saves. */
  outputsBucket: ['S3_OUTPUTS_BUCKET', optional(text())],
  outputBaseUrl: ['FILMGATE_OUTPUT_BASE_URL', optional(url({ protocols: ['http', 'https'] }))],
  s3Endpoint: ['S3_ENDPOINT', optional(url({ protocols: ['http', 'https'] }))],
  /** The public endpoint of the object store, if browsers need another one. */
  s3PublicEndpoint: ['S3_PUBLIC_ENDPOINT', optional(url({ protocols: ['http', 'https'] }))],
  s3Region: ['S3_REGION', text({ fallback: 'us-east-1' })],
  s3AccessKeyId: ['S3_ACCESS_KEY_ID', optional(text())],
  s3SecretAccessKey: ['S3_SECRET_ACCESS_KEY', optional(text())],
  /** media-probe as the console reaches it; without it, an upload is judged only with its request. */
  mediaProbeUrl: ['FILMGATE_MEDIA_PROBE_URL', optional(url({ protocols: ['https', 'http'] }))],
} as const

export function readConfig(env: Environment) {
  const config = readVariables(env, {
    ...serviceVariables,
    port: ['PORT', integer({ min: 0, max: 65_535, fallback: 4106 })],
    /** Of /metrics, which the public port doesn't serve. */
    metricsPort: ['FILMGATE_METRICS_PORT', integer({ min: 0, max: 65_535, fallback: 4108 })],
    databaseUrl: ['DATABASE_URL', url({ protocols: ['postgres', 'postgresql'] })],
    poolMax: ['FILMGATE_POOL_MAX', integer({ min: 2, max: 200, fallback: 12 })],
    /** The console's origin: scheme, host and port only. */
    consoleUrl: ['FILMGATE_CONSOLE_URL', url({ protocols: ['https', 'http'] })],
    /** The gateway's URL as the console reaches it. */
    gatewayUrl: ['FILMGATE_GATEWAY_URL', url({ protocols: ['https', 'http'] })],
    /** The public URL of the API, ending in /api/v1; used in example requests. */
    apiUrl: ['FILMGATE_API_URL', url({ protocols: ['https', 'http'] })],
    /** The console's token for the gateway's internal API. */
    consoleToken: ['FILMGATE_CONSOLE_TOKEN', secret({ lengthMin: 24 })],
    /** Signs cookies and encrypts second factors. A new secret signs everybody out. */
    authSecret: ['FILMGATE_CONSOLE_SECRET', secret({ lengthMin: 32 })],
    /** The settings of the operators' pages; undefined if no operator is configured. */
    operate: operateEnvironment,
    /** Origins that videos and posters are loaded from, comma-separated. */
    outputOrigins: ['FILMGATE_OUTPUT_ORIGINS', list({ fallback: [] })],
    ...signInVariables,
    ...storeVariables,
    ...uploadRoomVariables,
    /** Number of proxies in front of the console that append to X-Forwarded-For. 0: the peer is the client. */
    trustedProxies: ['FILMGATE_TRUSTED_PROXIES', integer({ min: 0, max: 10, fallback: 0 })],
    /** Requests of a signed-in person a minute and replica, over all pages. */
    personRateLimit: ['FILMGATE_PERSON_RATE_LIMIT', integer({ min: 1, max: 100_000_000, fallback: 600 })],
    ...billingVariables,
  })
  const { origin, protocol, href } = new URL(config.consoleUrl)
  if (href !== `${origin}/`) throw new ConfigError(['FILMGATE_CONSOLE_URL must be an origin alone, such as https://console.example.com'])
  if (protocol === 'http:' && !config.development)
    throw new ConfigError(['FILMGATE_CONSOLE_URL must start with https:// outside development (FILMGATE_DEVELOPMENT=1)'])
  const faults = [...signInFaults(config), ...billingFaults(config), ...uploadFaults(config)]
  if (faults.length > 0) throw new ConfigError(faults)
  return { ...config, consoleUrl: origin, uploads: bucketOf(config, config.uploadsBucket), outputs: bucketOf(config, config.outputsBucket) }
}

type StoreSettings = Record<
  'uploadsBucket' | 's3Endpoint' | 's3PublicEndpoint' | 's3AccessKeyId' | 's3SecretAccessKey',
  string | undefined
> & {
  s3Region: string
}

/** A bucket without an endpoint is an error. An endpoint without a bucket may be meant for another service. */
const uploadFaults = ({ uploadsBucket, s3Endpoint, s3AccessKeyId, s3SecretAccessKey }: StoreSettings): string[] =>
  uploadsBucket === undefined || (s3Endpoint !== undefined && s3AccessKeyId !== undefined && s3SecretAccessKey !== undefined)
    ? []
    : ['S3_ENDPOINT, S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY must be set where S3_UPLOADS_BUCKET is']

/** Presigned URLs for browsers use `publicEndpoint`. */
function bucketOf({ s3Endpoint, s3PublicEndpoint, s3Region, s3AccessKeyId, s3SecretAccessKey }: StoreSettings, bucket: string | undefined) {
  if (bucket === undefined || s3Endpoint === undefined || s3AccessKeyId === undefined || s3SecretAccessKey === undefined) return undefined
  const store = { region: s3Region, bucket, accessKeyId: s3AccessKeyId, secretAccessKey: s3SecretAccessKey }
  return { ...store, endpoint: s3Endpoint, publicEndpoint: s3PublicEndpoint ?? s3Endpoint }
}

/** The configuration of one-off database commands. */
export const readCommandConfig = (env: Environment) => readVariables(env, { ...serviceVariables, databaseUrl: ['DATABASE_URL', url()] })
