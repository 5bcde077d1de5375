import { optional, secret, text, url } from './variables'

/** Both, or neither: then AWS's default chain has the credentials, such as those of a pod's role. */
export const storeKeyVariables = {
  s3AccessKeyId: ['S3_ACCESS_KEY_ID', optional(text())],
  s3SecretAccessKey: ['S3_SECRET_ACCESS_KEY', optional(secret({ lengthMin: 1 }))],
} as const

type StoreKeys = Record<'s3AccessKeyId' | 's3SecretAccessKey', string | undefined>

export const storeKeyFaults = ({ s3AccessKeyId, s3SecretAccessKey }: StoreKeys): string[] =>
  (s3AccessKeyId === undefined) === (s3SecretAccessKey === undefined)
    ? []
    : ['S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY are set together or not at all']

/** The keys as the store's client takes them. */
export const storeKeysOf = ({ s3AccessKeyId, s3SecretAccessKey }: StoreKeys) =>
  s3AccessKeyId !== undefined && s3SecretAccessKey !== undefined ? { accessKeyId: s3AccessKeyId, secretAccessKey: s3SecretAccessKey } : {}

/** An S3-compatible store that a service can do without. */
export const storeVariables = {
  s3Endpoint: ['S3_ENDPOINT', optional(url({ protocols: ['http', 'https'] }))],
  /** The public endpoint of the object store, if clients need another one. */
  s3PublicEndpoint: ['S3_PUBLIC_ENDPOINT', optional(url({ protocols: ['http', 'https'] }))],
  s3Region: ['S3_REGION', text({ fallback: 'us-east-1' })],
  ...storeKeyVariables,
} as const

type StoreSettings = StoreKeys & Record<'s3Endpoint' | 's3PublicEndpoint', string | undefined> & { s3Region: string }

/** A bucket without an endpoint is an error. An endpoint without a bucket may be meant for another service. */
export const bucketFaults = (settings: StoreSettings, variable: string, bucket: string | undefined): string[] =>
  bucket === undefined
    ? []
    : [...(settings.s3Endpoint === undefined ? [`S3_ENDPOINT must be set where ${variable} is`] : []), ...storeKeyFaults(settings)]

/** Presigned URLs for clients use `publicEndpoint`. */
export function bucketOf({ s3Endpoint, s3PublicEndpoint, s3Region, ...keys }: StoreSettings, bucket: string | undefined) {
  if (bucket === undefined || s3Endpoint === undefined) return undefined
  const store = { region: s3Region, bucket, ...storeKeysOf(keys) }
  return { ...store, endpoint: s3Endpoint, publicEndpoint: s3PublicEndpoint ?? s3Endpoint }
}
