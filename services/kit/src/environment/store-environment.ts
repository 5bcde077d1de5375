import { optional, text, url } from './variables'

/** An S3-compatible store that a service can do without. */
export const storeVariables = {
  s3Endpoint: ['S3_ENDPOINT', optional(url({ protocols: ['http', 'https'] }))],
  /** The public endpoint of the object store, if clients need another one. */
  s3PublicEndpoint: ['S3_PUBLIC_ENDPOINT', optional(url({ protocols: ['http', 'https'] }))],
  s3Region: ['S3_REGION', text({ fallback: 'us-east-1' })],
  s3AccessKeyId: ['S3_ACCESS_KEY_ID', optional(text())],
  s3SecretAccessKey: ['S3_SECRET_ACCESS_KEY', optional(text())],
} as const

type StoreSettings = Record<'s3Endpoint' | 's3PublicEndpoint' | 's3AccessKeyId' | 's3SecretAccessKey', string | undefined> & {
  s3Region: string
}

/** A bucket without an endpoint is an error. An endpoint without a bucket may be meant for another service. */
export const bucketFaults = (settings: StoreSettings, variable: string, bucket: string | undefined): string[] =>
  bucket === undefined || bucketOf(settings, bucket)
    ? []
    : [`S3_ENDPOINT, S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY must be set where ${variable} is`]

/** Presigned URLs for clients use `publicEndpoint`. */
export function bucketOf(
  { s3Endpoint, s3PublicEndpoint, s3Region, s3AccessKeyId, s3SecretAccessKey }: StoreSettings,
  bucket: string | undefined,
) {
  if (bucket === undefined || s3Endpoint === undefined || s3AccessKeyId === undefined || s3SecretAccessKey === undefined) return undefined
  const store = { region: s3Region, bucket, accessKeyId: s3AccessKeyId, secretAccessKey: s3SecretAccessKey }
  return { ...store, endpoint: s3Endpoint, publicEndpoint: s3PublicEndpoint ?? s3Endpoint }
}
