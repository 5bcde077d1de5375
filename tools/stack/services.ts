import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { providers } from '../providers'
import { type Addresses, buckets } from './addresses'
import { databaseOwners } from './contents/database-owners'
import { databaseUrl } from './contents/databases'
import { type Instance, root } from './instance'
import { mailCatcherPlan, signInEnv } from './mail-catcher'
import type { Ports } from './ports'
import { fromSource, type Launch, type Plan } from './process/plan'
import { answers } from './process/probe'
import { sampleMediaEnv, sampleMediaOrigin, sampleMediaPlan } from './sample-media'

export interface ServiceOptions {
  instance: Instance
  addresses: Addresses
  gateways: number
  /** Folders with ffmpeg and ffprobe if the machine has none. */
  toolPath: string[]
  launch?: Launch
}

const serviceFolders = {
  gateway: 'gateway',
  ledger: 'ledger',
  catalog: 'catalog',
  'media-probe': 'mediaProbe',
  dispatcher: 'dispatcher',
  simulator: 'simulator',
  console: 'console',
  webhooks: 'webhooks',
} as const
export type ServiceName = keyof typeof serviceFolders

export const servicePort = (ports: Ports, service: ServiceName): number => ports[serviceFolders[service]]

type OwnPorts = { PORT: number; FILMGATE_METRICS_PORT?: number }

const portsOf = (ports: Ports, service: ServiceName): OwnPorts => ({
  PORT: servicePort(ports, service),
  ...(service === 'gateway' && { FILMGATE_METRICS_PORT: ports.gatewayMetrics }),
  ...(service === 'console' && { FILMGATE_METRICS_PORT: ports.consoleMetrics }),
})

/** The eight services and additional gateways: gateway-2 at +10 with its metrics at +15, gateway-3 at +11 and +16. */
export function servicePlans(options: ServiceOptions): Plan[] {
  const { ports } = options.instance
  const services = Object.keys(serviceFolders) as ServiceName[]
  const more = Array.from({ length: options.gateways - 1 }, (_, index) =>
    servicePlan(options, 'gateway', `gateway-${index + 2}`, {
      PORT: ports.secondGateway + index,
      FILMGATE_METRICS_PORT: ports.secondGatewayMetrics + index,
    }),
  )
  const built = [...services.map(name => servicePlan(options, name, name, portsOf(ports, name))), ...more].filter(({ cwd }) =>
    existsSync(join(cwd ?? '', 'src/main.ts')),
  )
  return [sampleMediaPlan(options.instance, options.toolPath), mailCatcherPlan(options.instance), ...built]
}

function servicePlan(options: ServiceOptions, service: ServiceName, name: string, ports: OwnPorts): Plan {
  const { launch = fromSource } = options
  const { PORT: port } = ports
  const portsEnv = Object.fromEntries(Object.entries(ports).map(([variable, port]) => [variable, String(port)]))
  return {
    name,
    kind: 'service',
    port,
    ...launch(service, {
      command: [process.execPath, 'src/main.ts'],
      cwd: join(root, 'services', service),
      env: { ...commonEnv(options), ...portsEnv, ...serviceSpecificEnv(options, service) },
    }),
    ready: () => answers(`http://127.0.0.1:${port}/readyz`),
    readyTimeoutMs: 180_000,
    stopSignal: 'SIGTERM',
    stopTimeoutMs: 15_000,
  }
}

const drainMs = 300
/** Enough for some videos of five seconds. */
const starterCredits = 200

/** The environment of all services. Variables of the user (FILMGATE_RATE_LIMIT and the like) pass through. */
function commonEnv({ instance, addresses, toolPath }: ServiceOptions): Record<string, string> {
  const { s3 } = addresses
  return {
    PATH: [...toolPath, process.env.PATH].join(':'),
    LOG_LEVEL: process.env.LOG_LEVEL ?? 'info',
    KAFKA_BROKERS: addresses.kafkaBrokers,
    REDIS_URL: addresses.redisUrl,
    S3_ENDPOINT: s3.endpoint,
    S3_REGION: s3.region,
    S3_ACCESS_KEY_ID: s3.accessKeyId,
    S3_SECRET_ACCESS_KEY: s3.secretAccessKey,
    S3_INPUTS_BUCKET: buckets.inputs,
    S3_OUTPUTS_BUCKET: buckets.outputs,
    // s3proxy doesn't support bucket policies.
    S3_OUTPUTS_PUBLIC_READ: '1',
    S3_UPLOADS_BUCKET: buckets.uploads,
    FILMGATE_OUTPUT_BASE_URL: addresses.outputBaseUrl,
    FILMGATE_OPERATOR_TOKEN: instance.operatorToken,
    FILMGATE_OPERATORS_FILE: process.env.FILMGATE_OPERATORS_FILE ?? instance.operatorsFile,
    FILMGATE_CONSOLE_TOKEN: instance.consoleToken,
    FILMGATE_CONSOLE_URL: consoleUrl(instance),
    FILMGATE_STARTER_CREDITS: process.env.FILMGATE_STARTER_CREDITS ?? String(starterCredits),
    FILMGATE_KEY_PEPPER: instance.pepper,
    FILMGATE_ATTEMPT_SECRET: instance.attemptSecret,
    FILMGATE_WEBHOOKS_URL: `http://127.0.0.1:${instance.ports.webhooks}`,
    FILMGATE_WEBHOOKS_TOKEN: instance.webhooksToken,
    FILMGATE_WEBHOOKS_SECRET_KEY: instance.webhooksSecretKey,
    FILMGATE_DEVELOPMENT: '1',
    // No other machine reaches a stack unless its user says so.
    FILMGATE_HOST: process.env.FILMGATE_HOST ?? '127.0.0.1',
    SIMULATOR_KEY: instance.simulatorKey,
    SIMULATOR_DATA_DIR: join(instance.dir, 'simulator'),
    FILMGATE_SIMULATOR_URL: `http://127.0.0.1:${instance.ports.simulator}`,
    FILMGATE_DRAIN_MS: process.env.FILMGATE_DRAIN_MS ?? String(drainMs),
  }
}

const serviceSpecificEnv = (options: ServiceOptions, service: ServiceName): Record<string, string> => ({
  ...databaseEnv(options.addresses, service),
  ...mediaEnv(options, service),
  ...providersEnv(options, service),
  ...(service === 'gateway' && {
    FILMGATE_REPLICAS_MAX: String(options.gateways),
    FILMGATE_MEDIA_PROBE_URL: `http://127.0.0.1:${options.instance.ports.mediaProbe}`,
  }),
  ...(service === 'console' && consoleEnv(options)),
})

/**
 * Providers' keys pass through to the dispatcher. `FILMGATE_PROVIDERS=simulated` replaces the providers by the
 * simulator, in their formats and with callbacks.
 */
function providersEnv({ instance: { simulatorKey, ports } }: ServiceOptions, service: ServiceName): Record<string, string> {
  if (process.env.FILMGATE_PROVIDERS !== 'simulated') return {}
  const origin = `http://127.0.0.1:${ports.simulator}`
  if (service === 'gateway') return { FILMGATE_FAL_JWKS_URL: `${origin}/fal/.well-known/jwks.json` }
  if (service !== 'dispatcher') return {}
  return {
    ...Object.fromEntries(
      Object.values(providers).flatMap(({ key, url, fakePath }) => [
        [key, simulatorKey],
        [`${key}_FILE`, ''],
        [url, `${origin}${fakePath}`],
      ]),
    ),
    FILMGATE_CALLBACK_BASE_URL: `http://127.0.0.1:${ports.gateway}`,
  }
}

/** The console's addresses and the services that it calls. */
function consoleEnv({ instance, addresses }: ServiceOptions): Record<string, string> {
  const at = (port: number) => `http://127.0.0.1:${port}`
  const { gateway, ledger, dispatcher, mediaProbe } = instance.ports
  return {
    ...signInEnv(instance),
    // A list of the user replaces the file.
    FILMGATE_CONSOLE_OPERATORS_FILE: process.env.FILMGATE_CONSOLE_OPERATORS
      ? ''
      : (process.env.FILMGATE_CONSOLE_OPERATORS_FILE ?? instance.consoleOperatorsFile),
    FILMGATE_CONSOLE_SECRET: instance.consoleSecret,
    FILMGATE_GATEWAY_URL: at(gateway),
    FILMGATE_LEDGER_URL: at(ledger),
    FILMGATE_DISPATCHER_URL: at(dispatcher),
    FILMGATE_MEDIA_PROBE_URL: at(mediaProbe),
    FILMGATE_API_URL: `${at(gateway)}/api/v1`,
    FILMGATE_OUTPUT_ORIGINS: new URL(addresses.outputBaseUrl).origin,
  }
}

/** A host name, because passkeys don't work with IP addresses. */
export const consoleUrl = ({ ports }: Pick<Instance, 'ports'>): string => `http://localhost:${ports.console}`

const mediaEnv = ({ instance }: ServiceOptions, service: ServiceName) =>
  service === 'media-probe'
    ? sampleMediaEnv(instance)
    : service === 'catalog'
      ? { FILMGATE_SAMPLE_MEDIA_ORIGIN: sampleMediaOrigin(instance) }
      : {}

function databaseEnv(addresses: Addresses, service: ServiceName): Record<string, string> {
  const owner = databaseOwners.find(each => each === service)
  return owner ? { DATABASE_URL: databaseUrl(addresses, owner) } : {}
}
