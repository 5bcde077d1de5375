import { serviceVariables } from '@filmgate/kit/environment/service-environment'
import { ConfigError, integer, list, optional, readVariables, secret, text, url } from '@filmgate/kit/environment/variables'
import { signInFaults, signInVariables } from './auth/variables'
import { billingFaults, billingVariables } from './billing/variables'
import { operateEnvironment } from './operate/variables'

type Environment = Record<string, string | undefined>

export type Config = ReturnType<typeof readConfig>

const uploadVariables = {
  /** Where people's uploads lie until a request has read them; without a bucket there are none. */
  uploadsBucket: ['S3_UPLOADS_BUCKET', optional(text())],
  s3Endpoint: ['S3_ENDPOINT', optional(url({ protocols: ['http', 'https'] }))],
  /** Where browsers reach the store, if that is another address. */
  s3PublicEndpoint: ['S3_PUBLIC_ENDPOINT', optional(url({ protocols: ['http', 'https'] }))],
  s3Region: ['S3_REGION', text({ fallback: 'us-east-1' })],
  s3AccessKeyId: ['S3_ACCESS_KEY_ID', optional(text())],
  s3SecretAccessKey: ['S3_SECRET_ACCESS_KEY', optional(text())],
} as const

export function readConfig(env: Environment) {
  const config = readVariables(env, {
    ...serviceVariables,
    port: ['PORT', integer({ min: 0, max: 65_535, fallback: 4106 })],
    databaseUrl: ['DATABASE_URL', url({ protocols: ['postgres', 'postgresql'] })],
    poolMax: ['FILMGATE_POOL_MAX', integer({ min: 2, max: 200, fallback: 12 })],
    /** Where people open the console: scheme, host and port alone. */
    consoleUrl: ['FILMGATE_CONSOLE_URL', url({ protocols: ['https', 'http'] })],
    /** Where the console itself reaches the gateway. */
    gatewayUrl: ['FILMGATE_GATEWAY_URL', url({ protocols: ['https', 'http'] })],
    /** The API as clients reach it, ending in /api/v1: shown in the examples of requests. */
    apiUrl: ['FILMGATE_API_URL', url({ protocols: ['https', 'http'] })],
    /** The console's own token at the gateway's door. */
    consoleToken: ['FILMGATE_CONSOLE_TOKEN', secret({ lengthMin: 24 })],
    /** Signs cookies and encrypts second factors; a new one signs everybody out. */
    authSecret: ['FILMGATE_CONSOLE_SECRET', secret({ lengthMin: 32 })],
    /** Who operates Filmgate on these pages; undefined where nobody is named. */
    operate: operateEnvironment,
    /** Origins that videos and posters are shown from, several with commas. */
    outputOrigins: ['FILMGATE_OUTPUT_ORIGINS', list({ fallback: [] })],
    ...signInVariables,
    ...uploadVariables,
    /** How many proxies stand before the console and append to X-Forwarded-For; 0 means the peer is the person. */
    trustedProxies: ['FILMGATE_TRUSTED_PROXIES', integer({ min: 0, max: 10, fallback: 0 })],
    ...billingVariables,
  })
  const { origin, protocol, href } = new URL(config.consoleUrl)
  if (href !== `${origin}/`) throw new ConfigError(['FILMGATE_CONSOLE_URL must be an origin alone, such as https://console.example.com'])
  if (protocol === 'http:' && !config.development)
    throw new ConfigError(['FILMGATE_CONSOLE_URL must start with https:// outside development (FILMGATE_DEVELOPMENT=1)'])
  const faults = [...signInFaults(config), ...billingFaults(config), ...uploadFaults(config)]
  if (faults.length > 0) throw new ConfigError(faults)
  return { ...config, consoleUrl: origin, uploads: uploadsOf(config) }
}

type ReadUploads = Record<
  'uploadsBucket' | 's3Endpoint' | 's3PublicEndpoint' | 's3AccessKeyId' | 's3SecretAccessKey',
  string | undefined
> & {
  s3Region: string
}

/** A bucket without its store is a slip; a store without a bucket is another service's setting. */
const uploadFaults = ({ uploadsBucket, s3Endpoint, s3AccessKeyId, s3SecretAccessKey }: ReadUploads): string[] =>
  uploadsBucket === undefined || (s3Endpoint !== undefined && s3AccessKeyId !== undefined && s3SecretAccessKey !== undefined)
    ? []
    : ['S3_ENDPOINT, S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY must be set where S3_UPLOADS_BUCKET is']

/** `publicEndpoint` is what addresses for browsers are signed for. */
function uploadsOf({ uploadsBucket, s3Endpoint, s3PublicEndpoint, s3Region, s3AccessKeyId, s3SecretAccessKey }: ReadUploads) {
  if (uploadsBucket === undefined || s3Endpoint === undefined || s3AccessKeyId === undefined || s3SecretAccessKey === undefined)
    return undefined
  const store = { region: s3Region, bucket: uploadsBucket, accessKeyId: s3AccessKeyId, secretAccessKey: s3SecretAccessKey }
  return { ...store, endpoint: s3Endpoint, publicEndpoint: s3PublicEndpoint ?? s3Endpoint }
}

/** What a command needs that runs once against the database. */
export const readCommandConfig = (env: Environment) => readVariables(env, { ...serviceVariables, databaseUrl: ['DATABASE_URL', url()] })
