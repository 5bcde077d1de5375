import { providers } from '../providers'
import { alertsSchema } from './alert-values'
import { autoscalerBehavior, commonValues, extraPolicyRules, placement, podValues, serverValues } from './pod-values'
import {
  anyObjectSchema,
  backend,
  boolean,
  caBundle,
  environment,
  files,
  image,
  integer,
  kafka,
  list,
  map,
  networkPeers,
  nonEmptyText,
  object,
  objectStore,
  oneOf,
  partitions,
  resources,
  type Schema,
  secret,
  secretEnvironment,
  text,
} from './schema-types'

export const serviceCharts = ['gateway', 'console', 'ledger', 'catalog', 'media-probe', 'dispatcher', 'simulator', 'webhooks'] as const
export type ServiceChart = (typeof serviceCharts)[number]

type Dependency = 'database' | 'kafka' | 'redis' | 'objectStore' | 'operator' | 'keyPepper'
const dependencies: Record<ServiceChart, Dependency[]> = {
  gateway: ['database', 'kafka', 'redis', 'objectStore', 'operator', 'keyPepper'],
  console: ['database', 'objectStore'],
  ledger: ['database', 'kafka', 'operator'],
  catalog: ['kafka'],
  'media-probe': ['database', 'kafka', 'objectStore', 'operator'],
  dispatcher: ['database', 'kafka', 'objectStore', 'operator'],
  simulator: [],
  webhooks: ['database', 'kafka', 'operator'],
}

/** The shared operator token, its role, and the Secret with operators' own tokens. */
const operator = object({ existingSecret: text, key: text, role: oneOf('', 'read', 'support', 'money'), listSecret: text, listKey: text })
/** What the gateway and the console need to know about each other. */
const consoleSection = object({ url: { type: 'string', pattern: '^(https?://[^/]+)?$' }, existingSecret: text, key: text })
/** How hosts that something is fetched from reach the operator. */
const fetchSection = object({ contact: { type: 'string', pattern: "^((https://|[!-'*-?A-~]+@)[!-'*-~]{1,200})?$" } })
/** The Secret that the gateway and webhooks share. */
const webhooksSection = object({ existingSecret: text, tokenKey: text, secretKeyKey: text })
/** The buckets of the services that use the store. */
const stores: Partial<Record<ServiceChart, Schema>> = {
  gateway: objectStore('publicEndpoint', 'uploadsBucket', 'outputsBucket', 'outputBaseUrl'),
  console: objectStore('publicEndpoint', 'uploadsBucket', 'outputsBucket', 'outputBaseUrl'),
  'media-probe': objectStore('inputsBucket', 'uploadsBucket'),
  dispatcher: objectStore('inputsBucket', 'outputsBucket', 'outputBaseUrl'),
}

const global = object({
  image: object({ registry: text, tag: text, pullPolicy: oneOf('', 'Always', 'IfNotPresent', 'Never'), pullSecrets: list(nonEmptyText) }),
  kafka: object({ ...kafka, partitions, topicReplicas: integer(1, 9) }),
  redis: secret('key'),
  objectStore: objectStore('inputsBucket', 'outputsBucket', 'uploadsBucket', 'outputBaseUrl', 'publicEndpoint'),
  operator,
  console: consoleSection,
  keyPepper: secret('key'),
  webhooks: webhooksSection,
  fetch: fetchSection,
  telemetry: object({ otlpEndpoint: text }),
  privateCa: caBundle,
  recovery: boolean,
  serviceMonitor: object({ enabled: boolean, labels: map(text) }),
  ...placement,
  ...commonValues,
  networkPolicy: object({
    enabled: boolean,
    dns: backend,
    ...extraPolicyRules,
    database: backend,
    pooler: backend,
    kafka: backend,
    redis: backend,
    objectStore: backend,
    telemetry: backend,
    metricsFrom: networkPeers,
    ingressFrom: networkPeers,
    extraEgress: list(anyObjectSchema),
  }),
})

/** A settings file: an existing ConfigMap, or its text. */
const configFiles = object({ existingConfigMap: text, files })
const configFile = object({ existingConfigMap: text, key: nonEmptyText, content: text })
/** A provider is enabled by its key. */
const providerKey = object({ existingSecret: text, key: nonEmptyText })
const schedule = object({ enabled: boolean, schedule: nonEmptyText, deadlineSeconds: integer(1) })
const paths = list({ type: 'string', pattern: '^/' })

const horizontalAutoscaler = object({
  enabled: boolean,
  minReplicas: integer(1),
  maxReplicas: integer(1),
  cpuPercent: integer(1, 1000),
  scaleDownSeconds: integer(0, 3600),
  behavior: autoscalerBehavior,
  metrics: list(anyObjectSchema),
})
/** Settings of services that are reachable from outside. */
const exposure = {
  trustedProxies: integer(0, 10),
  ingress: object({
    enabled: boolean,
    className: text,
    controller: oneOf('', 'traefik', 'haproxy', 'contour', 'alb', 'nginx'),
    hosts: list(nonEmptyText),
    tlsSecret: text,
    readTimeoutSeconds: integer(300),
    annotations: map(text),
    labels: map(text),
    extraRules: list(anyObjectSchema),
    extraTls: list(anyObjectSchema),
    paths,
  }),
  httpRoute: object({
    enabled: boolean,
    parentRefs: list(anyObjectSchema),
    hostnames: list(nonEmptyText),
    readTimeoutSeconds: { anyOf: [{ const: 0 }, integer(300)] },
    annotations: map(text),
    labels: map(text),
    filters: list(anyObjectSchema),
    extraRules: list(anyObjectSchema),
    paths,
  }),
}

/** Settings of single services. */
const serviceSpecific: Record<ServiceChart, Record<string, Schema>> = {
  gateway: {
    horizontalAutoscaler,
    ...exposure,
    console: consoleSection,
    webhooks: object({ existingSecret: text, tokenKey: text }),
    attemptSecret: object({ existingSecret: nonEmptyText, key: nonEmptyText }),
    recovery: boolean,
    refusalsMax: integer(1, 1_000_000),
    starterCredits: integer(0, 1_000_000),
    retention: schedule,
    callbacks: object({ fal: object({ jwksUrl: text, userId: text }) }),
  },
  console: {
    horizontalAutoscaler,
    ...exposure,
    console: consoleSection,
    secret: secret('key'),
    mail: object({ from: text, existingSecret: text, key: nonEmptyText }),
    oidc: object({ issuer: text, clientId: text, name: text, existingSecret: text, key: nonEmptyText, secondFactor: boolean }),
    stripe: object({ existingSecret: text, secretKeyKey: nonEmptyText, webhookSecretKey: nonEmptyText }),
    packs: configFile,
    billingContact: text,
    operators: object({ existingConfigMap: text, key: nonEmptyText, content: text, tokenSecret: text, tokenKey: nonEmptyText }),
    apiUrl: text,
    gatewayUrl: text,
    outputOrigins: list(nonEmptyText),
  },
  ledger: { audit: schedule },
  catalog: { prices: configFile, cards: configFiles },
  'media-probe': {
    keda: keda(),
    seccompProfile: object({ type: oneOf('RuntimeDefault', 'Localhost'), localhostProfile: nonEmptyText }),
    fetch: fetchSection,
  },
  dispatcher: {
    keda: keda(),
    fetch: fetchSection,
    routes: configFiles,
    attemptSecret: object({ existingSecret: nonEmptyText, key: nonEmptyText }),
    providers: object(Object.fromEntries(Object.keys(providers).map(provider => [provider, providerKey]))),
    simulatorProvider: object({ enabled: boolean, url: text, existingSecret: nonEmptyText, key: nonEmptyText }),
  },
  simulator: { key: object({ existingSecret: nonEmptyText, key: nonEmptyText }, ['existingSecret', 'key']) },
  webhooks: { webhooks: webhooksSection, fetch: fetchSection },
}

function keda(): Schema {
  return object({
    enabled: boolean,
    minReplicas: integer(1),
    maxReplicas: integer(1),
    pollingSeconds: integer(1),
    scaleDownSeconds: integer(0, 3600),
    behavior: autoscalerBehavior,
    jobsPerReplica: integer(1),
    lagPerReplica: integer(1),
  })
}

/** The schema of one service's values.yaml. */
export function serviceSchema(chart: ServiceChart): Schema {
  const own = dependencies[chart]
  const world = ['media-probe', 'dispatcher', 'gateway', 'console', 'webhooks'].includes(chart)
  return withTitle(
    chart,
    object({
      global,
      enabled: boolean,
      fullnameOverride: text,
      image,
      replicas: { type: ['integer', 'null'], minimum: 0 },
      shutdown: object({ graceSeconds: integer(300), preStopSeconds: integer(1, 60) }),
      resources,
      scratch: object({ sizeLimit: nonEmptyText }),
      config: environment,
      secretEnv: secretEnvironment,
      privateCa: caBundle,
      ...podValues,
      ...serverValues,
      ...(own.includes('database')
        ? {
            database: object({ existingSecret: nonEmptyText, key: nonEmptyText, directKey: text }),
            migrations: object({ enabled: boolean, tries: integer(0), deadlineSeconds: integer(1) }),
            jobResources: resources,
          }
        : {}),
      ...(own.includes('kafka') ? { kafka: object('keda' in serviceSpecific[chart] ? { ...kafka, partitions } : kafka) } : {}),
      ...(own.includes('redis') ? { redis: secret('key') } : {}),
      ...(chart in stores ? { objectStore: stores[chart] } : {}),
      ...(own.includes('operator') ? { operator } : {}),
      ...(own.includes('keyPepper') ? { keyPepper: secret('key') } : {}),
      ...serviceSpecific[chart],
      networkPolicy: object({
        enabled: boolean,
        ...Object.fromEntries(
          (['database', 'kafka', 'redis', 'objectStore'] as const)
            .filter(key => own.includes(key) || (chart === 'simulator' && key === 'objectStore'))
            .map(key => [key, backend]),
        ),
        ...(own.includes('database') ? { pooler: backend } : {}),
        telemetry: backend,
        metricsFrom: networkPeers,
        dns: backend,
        ...extraPolicyRules,
        ...('ingress' in serviceSpecific[chart] ? { ingressFrom: networkPeers } : {}),
        ...(world ? { worldPorts: list(integer(1, 65_535)), worldExcept: list(nonEmptyText) } : {}),
      }),
      telemetry: object({ otlpEndpoint: text }),
      serviceMonitor: object({
        enabled: boolean,
        interval: nonEmptyText,
        scrapeTimeout: text,
        labels: map(text),
        annotations: map(text),
        relabelings: list(anyObjectSchema),
        metricRelabelings: list(anyObjectSchema),
      }),
    }),
  )
}

/** A server of Postgres and the services whose databases it holds. */
const postgresServer = object(
  {
    maxConnections: integer(1),
    reserved: integer(0),
    services: list(oneOf(...serviceCharts.filter(chart => dependencies[chart].includes('database')))),
  },
  ['maxConnections'],
)
/** The schema of the umbrella chart: shared values, its own, and each service's under its name. */
export function umbrellaSchema(): Schema {
  const services = Object.fromEntries(serviceCharts.map(chart => [chart, { type: 'object' }]))
  return withTitle(
    'filmgate',
    object({
      global,
      // What the library chart is given: its exports, and global.
      service: object({ exports: anyObjectSchema, global: anyObjectSchema }),
      defaultDeny: object({ enabled: boolean }),
      topics: object({ enabled: boolean, deadlineSeconds: integer(1), resources, ...podValues }),
      postgres: list(postgresServer),
      ...services,
      alerts: alertsSchema(),
      ops: object({ enabled: boolean, image, resources, ...podValues }),
      dashboards: object({ enabled: boolean, labels: map(text), annotations: map(text) }),
      extraObjects: serverValues.extraObjects as Schema,
      test: object({
        enabled: boolean,
        url: text,
        model: nonEmptyText,
        host: text,
        to: networkPeers,
        deadlineSeconds: integer(1),
        resources,
        ...podValues,
      }),
    }),
  )
}

const withTitle = (chart: string, schema: Schema): Schema => ({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: `Values of the chart ${chart}`,
  ...schema,
})
