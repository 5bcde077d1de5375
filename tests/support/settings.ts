import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { portsFrom } from '@filmgate/tools/stack/ports'

const root = resolve(import.meta.dir, '../..')

/** The stack under test: .local/<instance>/filmgate.env (for "dev": .local/filmgate.env), overridden by the environment. */
export const instance = process.env.FILMGATE_INSTANCE ?? 'dev'

const file = instance === 'dev' ? join(root, '.local/filmgate.env') : join(root, '.local', instance, 'filmgate.env')
const written = existsSync(file) ? parseEnv(readFileSync(file, 'utf8')) : {}

function parseEnv(text: string): Record<string, string> {
  const lines = text.split('\n').map(line => /^([A-Z][A-Z0-9_]*)=(.*)$/.exec(line.trim()))
  return Object.fromEntries(lines.flatMap(match => (match?.[1] ? [[match[1], match[2] ?? '']] : [])))
}

function need(name: string): string {
  const value = process.env[name] ?? written[name]
  if (!value) throw new Error(`${name} is not known: start a stack (bun run stack up --instance ${instance}), which writes ${file}`)
  return value
}

const metricsUrl = (port: number): string => `http://127.0.0.1:${port}/metrics`

const portBase = () => Number(need('FILMGATE_PORT_BASE'))

/** Read when first asked for, so that a file of tests can be loaded without a stack. */
export const settings = {
  get portBase() {
    return portBase()
  },
  get url() {
    return need('FILMGATE_URL')
  },
  /** The second gateway of a stack that was started with two. */
  get secondUrl() {
    return process.env.FILMGATE_SECOND_GATEWAY_URL
      ? `${process.env.FILMGATE_SECOND_GATEWAY_URL}/api/v1`
      : `http://127.0.0.1:${portBase() + 10}/api/v1`
  },
  get operatorToken() {
    return need('FILMGATE_OPERATOR_TOKEN')
  },
  /** What the services of the stack read their operators from. */
  get operatorsFile() {
    return need('FILMGATE_OPERATORS_FILE')
  },
  /** Who may open the operators' pages of the console. */
  get consoleOperatorsFile() {
    return need('FILMGATE_CONSOLE_OPERATORS_FILE')
  },
  get serviceUrls() {
    return {
      gateway: need('FILMGATE_GATEWAY_URL'),
      ledger: need('FILMGATE_LEDGER_URL'),
      'media-probe': need('FILMGATE_MEDIA_PROBE_URL'),
      dispatcher: need('FILMGATE_DISPATCHER_URL'),
      webhooks: need('FILMGATE_WEBHOOKS_URL'),
    }
  },
  /** Where each service shows its metrics. */
  get metricsUrls() {
    const { gatewayMetrics, ledger, catalog, mediaProbe, dispatcher, simulator, consoleMetrics, webhooks } = portsFrom(portBase())
    return [
      { service: 'gateway', url: metricsUrl(gatewayMetrics) },
      { service: 'ledger', url: metricsUrl(ledger) },
      { service: 'catalog', url: metricsUrl(catalog) },
      { service: 'media-probe', url: metricsUrl(mediaProbe) },
      { service: 'dispatcher', url: metricsUrl(dispatcher) },
      { service: 'simulator', url: metricsUrl(simulator) },
      { service: 'console', url: metricsUrl(consoleMetrics) },
      { service: 'webhooks', url: metricsUrl(webhooks) },
    ] as const
  },
  get gatewayMetricsUrl() {
    return metricsUrl(portsFrom(portBase()).gatewayMetrics)
  },
  /** The console's at the gateway's internal API, which no file for clients has. */
  get consoleToken() {
    const file = join(root, '.local', instance, 'secrets.json')
    const { consoleToken } = JSON.parse(readFileSync(file, 'utf8')) as { consoleToken: string }
    return consoleToken
  },
  /** The gateway's at the API of webhooks. */
  get webhooksToken() {
    const file = join(root, '.local', instance, 'secrets.json')
    const { webhooksToken } = JSON.parse(readFileSync(file, 'utf8')) as { webhooksToken: string }
    return webhooksToken
  },
  /** What the dispatcher's callback addresses are made with. */
  get attemptSecret() {
    const file = join(root, '.local', instance, 'secrets.json')
    const { attemptSecret } = JSON.parse(readFileSync(file, 'utf8')) as { attemptSecret: string }
    return attemptSecret
  },
  /** Where people open the console. */
  get consoleUrl() {
    return need('FILMGATE_CONSOLE_URL')
  },
  get simulatorUrl() {
    return need('FILMGATE_SIMULATOR_URL')
  },
  get simulatorKey() {
    return need('SIMULATOR_KEY')
  },
  get sampleMediaOrigin() {
    return process.env.FILMGATE_SAMPLE_MEDIA_ORIGIN ?? `https://localhost:${portBase() + 25}`
  },
  get postgresUrl() {
    return need('FILMGATE_POSTGRES_URL')
  },
  get redisUrl() {
    return need('REDIS_URL')
  },
  get kafkaBrokers() {
    return need('KAFKA_BROKERS').split(',')
  },
  /** Sockets have short paths, so it is relative to the checkout's root. */
  get controlSocket() {
    return join(root, '.local', instance, 'control.sock')
  },
}
