import { secrets } from '@filmgate/kit/environment/secrets'
import { databaseVariables, serviceVariables } from '@filmgate/kit/environment/service-environment'
import { bucketFaults, bucketOf, storeVariables } from '@filmgate/kit/environment/store-environment'
import { ConfigError, integer, list, optional, readVariables, secret, text, url } from '@filmgate/kit/environment/variables'
import { signInFaults, signInVariables } from './auth/variables'
import { billingFaults, billingVariables } from './billing/variables'
import { operateEnvironment } from './operate/variables'

type Environment = Record<string, string | undefined>

export type Config = ReturnType<typeof readConfig>

const bucketVariables = {
  /** The bucket of uploads; uploads are off if it is not set. */
  uploadsBucket: ['S3_UPLOADS_BUCKET', optional(text())],
  /** The bucket of videos and the start of their URLs. With both, a download is a signed URL that the browser saves. */
  outputsBucket: ['S3_OUTPUTS_BUCKET', optional(text())],
  outputBaseUrl: ['FILMGATE_OUTPUT_BASE_URL', optional(url({ protocols: ['http', 'https'] }))],
  ...storeVariables,
} as const

export function readConfig(env: Environment) {
  const config = readVariables(env, {
    ...serviceVariables,
    port: ['PORT', integer({ min: 0, max: 65_535, fallback: 4106 })],
    /** Of /metrics, which the public port doesn't serve. */
    metricsPort: ['FILMGATE_METRICS_PORT', integer({ min: 0, max: 65_535, fallback: 4108 })],
    ...databaseVariables,
    poolMax: ['FILMGATE_POOL_MAX', integer({ min: 2, max: 200, fallback: 12 })],
    /** The console's origin: scheme, host and port only. */
    consoleUrl: ['FILMGATE_CONSOLE_URL', url({ protocols: ['https', 'http'] })],
    /** The gateway's URL as the console reaches it. */
    gatewayUrl: ['FILMGATE_GATEWAY_URL', url({ protocols: ['https', 'http'] })],
    /** The public URL of the API, ending in /api/v1; used in example requests. */
    apiUrl: ['FILMGATE_API_URL', url({ protocols: ['https', 'http'] })],
    /** The console's token for the gateway's internal API. */
    consoleToken: ['FILMGATE_CONSOLE_TOKEN', secret({ lengthMin: 24 })],
    /** Sign cookies and links, and encrypt second factors. Without its secret a session ends, and a second factor is lost. */
    authSecrets: secrets('FILMGATE_CONSOLE_SECRET', { lengthMin: 32 }),
    /** The settings of the operators' pages; undefined if no operator is configured. */
    operate: operateEnvironment,
    /** Origins that videos and posters are loaded from, comma-separated. */
    outputOrigins: ['FILMGATE_OUTPUT_ORIGINS', list({ fallback: [] })],
    ...signInVariables,
    ...bucketVariables,
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
  const faults = [...signInFaults(config), ...billingFaults(config), ...bucketFaults(config, 'S3_UPLOADS_BUCKET', config.uploadsBucket)]
  if (faults.length > 0) throw new ConfigError(faults)
  return { ...config, consoleUrl: origin, uploads: bucketOf(config, config.uploadsBucket), outputs: bucketOf(config, config.outputsBucket) }
}

/** The configuration of one-off database commands. */
export const readCommandConfig = (env: Environment) => readVariables(env, { ...serviceVariables, ...databaseVariables })
