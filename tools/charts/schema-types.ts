/** The part of JSON Schema that the charts' values need. */
export type Schema = { [keyword: string]: unknown }

export const text: Schema = { type: 'string' }
export const nonEmptyText: Schema = { type: 'string', minLength: 1 }
export const boolean: Schema = { type: 'boolean' }
export const integer = (minimum: number, maximum?: number): Schema => ({
  type: 'integer',
  minimum,
  ...(maximum === undefined ? {} : { maximum }),
})
export const oneOf = (...values: unknown[]): Schema => ({ enum: values })
export const list = (items: Schema): Schema => ({ type: 'array', items })
export const map = (values: Schema): Schema => ({ type: 'object', additionalProperties: values })
/** Rejects unknown keys, so that a misspelt value stops the install. */
export const object = (properties: Record<string, Schema>, required: string[] = []): Schema => ({
  type: 'object',
  additionalProperties: false,
  properties,
  ...(required.length ? { required } : {}),
})

const quantity: Schema = { type: ['string', 'integer', 'number'], pattern: '^[0-9.]+(m|k|Ki|M|Mi|G|Gi|T|Ti)?$' }
const amounts = object({ cpu: quantity, memory: quantity, 'ephemeral-storage': quantity })
export const resources = object({ requests: amounts, limits: amounts })

/** Kubernetes checks its own types. */
const anyObject: Schema = { type: 'object' }
export const networkPeers = list(anyObject)
export const backend = object({ port: integer(1, 65_535), to: networkPeers })
/** An existing Secret and its keys. */
export const secret = (...keys: string[]): Schema => object({ existingSecret: text, ...Object.fromEntries(keys.map(key => [key, text])) })
/** Environment variables: NAME: value. */
export const environment: Schema = {
  type: 'object',
  propertyNames: { pattern: '^[A-Z][A-Z0-9_]*$' },
  additionalProperties: { type: ['string', 'integer', 'number', 'boolean', 'null'] },
}
export const secretEnvironment: Schema = {
  type: 'object',
  propertyNames: { pattern: '^[A-Z][A-Z0-9_]*$' },
  additionalProperties: object({ existingSecret: nonEmptyText, key: nonEmptyText }, ['existingSecret', 'key']),
}

export const image = object({
  registry: text,
  repository: nonEmptyText,
  tag: text,
  digest: { type: 'string', pattern: '^(sha256:[0-9a-f]{64})?$' },
  pullPolicy: oneOf('', 'Always', 'IfNotPresent', 'Never'),
  pullSecrets: list(nonEmptyText),
})
/** The object store and the buckets that a service uses. */
export const objectStore = (
  ...names: ('inputsBucket' | 'outputsBucket' | 'uploadsBucket' | 'outputBaseUrl' | 'publicEndpoint')[]
): Schema =>
  object({
    endpoint: text,
    region: text,
    ...Object.fromEntries(names.map(nonEmptyText => [nonEmptyText, text])),
    // Who writes outputs reads inputs too.
    ...(names.includes('outputsBucket') && names.includes('inputsBucket') && { outputsPublicRead: boolean }),
    existingSecret: text,
    accessKeyIdKey: text,
    secretAccessKeyKey: text,
  })
/** An existing Secret or ConfigMap and its key; the templates check that exactly one is named. */
export const caBundle = object({ existingSecret: nonEmptyText, existingConfigMap: nonEmptyText, key: nonEmptyText })
/** Files of a ConfigMap by name. */
export const files: Schema = { type: 'object', propertyNames: { pattern: '^[-._a-zA-Z0-9]+$' }, additionalProperties: text }
const tls = object({ enabled: boolean, ca: caBundle, clientCertificate: object({ existingSecret: nonEmptyText }, ['existingSecret']) })
const sasl = object({
  mechanism: oneOf('plain', 'scram-sha-256', 'scram-sha-512', 'oauthbearer', 'aws-msk-iam', 'google-iam'),
  existingSecret: nonEmptyText,
  username: nonEmptyText,
  usernameKey: nonEmptyText,
  passwordKey: nonEmptyText,
  tokenUrl: { type: 'string', pattern: '^https://' },
  scope: nonEmptyText,
  assertionFile: nonEmptyText,
  tokenFile: nonEmptyText,
  region: nonEmptyText,
})
export const kafka = {
  tls,
  sasl,
  brokers: text,
  topicPrefix: { type: 'string', pattern: '^([a-z0-9-]{1,60})?$' },
}
/** The number of partitions: used by the topics' job, and the maximum of the autoscalers by backlog. */
export const partitions = integer(0, 1000)
export const anyObjectSchema = anyObject
