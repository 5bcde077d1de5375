import { providers } from '../providers'
import {
  authority,
  backend,
  environment,
  files,
  flag,
  freeObject,
  image,
  integer,
  kafka,
  list,
  map,
  name,
  object,
  objectStore,
  oneOf,
  partitions,
  peers,
  resources,
  type Schema,
  secret,
  secretEnvironment,
  text,
} from './pieces'

export const serviceCharts = ['gateway', 'console', 'ledger', 'catalog', 'media-probe', 'dispatcher', 'simulator'] as const
export type ServiceChart = (typeof serviceCharts)[number]

type Uses = 'database' | 'kafka' | 'redis' | 'objectStore' | 'operator' | 'keyPepper'
const uses: Record<ServiceChart, Uses[]> = {
  gateway: ['database', 'kafka', 'redis', 'operator', 'keyPepper'],
  console: ['database', 'objectStore'],
  ledger: ['database', 'kafka', 'operator'],
  catalog: ['kafka'],
  'media-probe': ['database', 'kafka', 'objectStore', 'operator'],
  dispatcher: ['database', 'kafka', 'objectStore', 'operator'],
  simulator: [],
}

/** The shared token, its role, and the Secret that lists operators with tokens of their own. */
const operator = object({ existingSecret: text, key: text, role: oneOf('', 'read', 'support', 'money'), listSecret: text, listKey: text })
/** What the gateway and the console have to know of each other. */
const consoleSection = object({ url: { type: 'string', pattern: '^(https?://[^/]+)?$' }, existingSecret: text, key: text })
/** The buckets of those that open the store. */
const stores: Partial<Record<ServiceChart, Schema>> = {
  console: objectStore('publicEndpoint', 'uploadsBucket', 'outputBaseUrl'),
  'media-probe': objectStore('inputsBucket', 'uploadsBucket'),
  dispatcher: objectStore('inputsBucket', 'outputsBucket', 'outputBaseUrl'),
}

const global = object({
  image: object({ registry: text, tag: text, pullPolicy: oneOf('', 'Always', 'IfNotPresent', 'Never'), pullSecrets: list(name) }),
  kafka: object({ ...kafka, partitions, topicReplicas: integer(1, 9) }),
  redis: secret('key'),
  objectStore: objectStore('inputsBucket', 'outputsBucket', 'uploadsBucket', 'outputBaseUrl', 'publicEndpoint'),
  operator,
  console: consoleSection,
  keyPepper: secret('key'),
  telemetry: object({ otlpEndpoint: text }),
  privateCa: authority,
  serviceMonitor: object({ enabled: flag, labels: map(text) }),
  networkPolicy: object({
    database: backend,
    kafka: backend,
    redis: backend,
    objectStore: backend,
    telemetry: backend,
    metricsFrom: peers,
    ingressFrom: peers,
  }),
})

/** A file of settings: in a ConfigMap that is there, or its text. */
const configFile = object({ existingConfigMap: text, key: name, content: text })
/** A provider is on where its key is there. */
const providerKey = object({ existingSecret: text, key: name })
const schedule = object({ enabled: flag, schedule: name, deadlineSeconds: integer(1) })
const paths = list({ type: 'string', pattern: '^/' })

const horizontalAutoscaler = object({
  enabled: flag,
  minReplicas: integer(1),
  maxReplicas: integer(1),
  cpuPercent: integer(1, 1000),
  scaleDownSeconds: integer(0, 3600),
})
/** Of what is reached from outside. */
const published = {
  trustedProxies: integer(0, 10),
  ingress: object({
    enabled: flag,
    className: text,
    controller: oneOf('', 'nginx', 'contour', 'traefik', 'haproxy'),
    hosts: list(name),
    tlsSecret: text,
    readTimeoutSeconds: integer(300),
    annotations: map(text),
    paths,
  }),
  httpRoute: object({ enabled: flag, parentRefs: list(freeObject), hostnames: list(name), readTimeoutSeconds: integer(300), paths }),
}

/** What only one or two services have. */
const particular: Record<ServiceChart, Record<string, Schema>> = {
  gateway: {
    horizontalAutoscaler,
    ...published,
    console: consoleSection,
    starterCredits: integer(0, 1_000_000),
    retention: schedule,
    callbacks: object({ fal: object({ jwksUrl: text, userId: text }) }),
  },
  console: {
    horizontalAutoscaler,
    ...published,
    console: consoleSection,
    secret: secret('key'),
    mail: object({ from: text, existingSecret: text, key: name }),
    oidc: object({ issuer: text, clientId: text, name: text, existingSecret: text, key: name, secondFactor: flag }),
    stripe: object({ existingSecret: text, secretKeyKey: name, webhookSecretKey: name }),
    packs: configFile,
    operators: object({ existingConfigMap: text, key: name, content: text, tokenSecret: text, tokenKey: name }),
    apiUrl: text,
    gatewayUrl: text,
    outputOrigins: list(name),
  },
  ledger: { audit: schedule },
  catalog: { prices: configFile, cards: object({ existingConfigMap: text, files }) },
  'media-probe': { keda: keda() },
  dispatcher: {
    keda: keda(),
    routes: configFile,
    attemptSecret: object({ existingSecret: name, key: name }),
    providers: object(Object.fromEntries(Object.keys(providers).map(provider => [provider, providerKey]))),
    simulatorProvider: object({ enabled: flag, url: text, existingSecret: name, key: name }),
  },
  simulator: { key: object({ existingSecret: name, key: name }, ['existingSecret', 'key']) },
}

function keda(): Schema {
  return object({
    enabled: flag,
    minReplicas: integer(1),
    maxReplicas: integer(1),
    pollingSeconds: integer(1),
    scaleDownSeconds: integer(0, 3600),
    jobsPerReplica: integer(1),
    lagPerReplica: integer(1),
  })
}

/** The schema of one service's values.yaml. */
export function serviceSchema(chart: ServiceChart): Schema {
  const used = uses[chart]
  const world = ['media-probe', 'dispatcher', 'gateway', 'console'].includes(chart)
  return titled(
    chart,
    object({
      global,
      // Helm hands a subchart its dependency's values too: a library's are always empty.
      service: freeObject,
      enabled: flag,
      fullnameOverride: text,
      image,
      replicas: { type: ['integer', 'null'], minimum: 0 },
      rollout: object({ maxSurge: { type: ['integer', 'string'] }, minReadySeconds: integer(0), progressDeadlineSeconds: integer(1) }),
      shutdown: object({ graceSeconds: integer(300), preStopSeconds: integer(1, 60) }),
      resources,
      scratch: object({ sizeLimit: name }),
      config: environment,
      secretEnv: secretEnvironment,
      privateCa: authority,
      extraVolumes: list(freeObject),
      extraVolumeMounts: list(freeObject),
      serviceAccount: object({ annotations: map(text) }),
      ...(used.includes('database')
        ? {
            database: object({ existingSecret: name, key: name }),
            migrations: object({ enabled: flag, tries: integer(0), deadlineSeconds: integer(1) }),
            jobResources: resources,
          }
        : {}),
      ...(used.includes('kafka') ? { kafka: object('keda' in particular[chart] ? { ...kafka, partitions } : kafka) } : {}),
      ...(used.includes('redis') ? { redis: secret('key') } : {}),
      ...(chart in stores ? { objectStore: stores[chart] } : {}),
      ...(used.includes('operator') ? { operator } : {}),
      ...(used.includes('keyPepper') ? { keyPepper: secret('key') } : {}),
      ...particular[chart],
      podLabels: map(text),
      podAnnotations: map(text),
      nodeSelector: map(text),
      tolerations: list(freeObject),
      priorityClassName: text,
      disruptionBudget: object({ enabled: flag, maxUnavailable: { type: ['integer', 'string'] } }),
      networkPolicy: object({
        enabled: flag,
        ...Object.fromEntries(
          (['database', 'kafka', 'redis', 'objectStore'] as const)
            .filter(key => used.includes(key) || (chart === 'simulator' && key === 'objectStore'))
            .map(key => [key, backend]),
        ),
        telemetry: backend,
        metricsFrom: peers,
        extraIngress: list(freeObject),
        extraEgress: list(freeObject),
        ...('ingress' in particular[chart] ? { ingressFrom: peers } : {}),
        ...(world ? { worldPorts: list(integer(1, 65_535)), worldExcept: list(name) } : {}),
      }),
      telemetry: object({ otlpEndpoint: text }),
      serviceMonitor: object({ enabled: flag, interval: name, labels: map(text) }),
    }),
  )
}

/** The schema of the umbrella: what is shared, its own parts, and each service's values under its name. */
export function umbrellaSchema(): Schema {
  const services = Object.fromEntries(serviceCharts.map(chart => [chart, { type: 'object' }]))
  return titled(
    'filmgate',
    object({
      global,
      service: freeObject,
      defaultDeny: object({ enabled: flag }),
      topics: object({ enabled: flag, deadlineSeconds: integer(1) }),
      ...services,
      alerts: object({ enabled: flag, labels: map(text), runbookUrl: name }),
      dashboards: object({ enabled: flag, labels: map(text) }),
      test: object({ enabled: flag, url: text, model: name, host: text, to: peers, deadlineSeconds: integer(1) }),
    }),
  )
}

const titled = (chart: string, schema: Schema): Schema => ({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: `Values of the chart ${chart}`,
  ...schema,
})
