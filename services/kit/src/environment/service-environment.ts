import { kafkaEnvironment } from './kafka-environment'
import { developmentOnly, flag, integer, list, number, optional, type Reader, text, url } from './variables'

/** The variables every service understands. */
export const serviceVariables = {
  logLevel: ['LOG_LEVEL', text({ fallback: 'info', pattern: /^(trace|debug|info|warn|error|fatal|silent)$/ })],
  otlpEndpoint: ['OTEL_EXPORTER_OTLP_ENDPOINT', optional(url())],
  traceSampleRatio: ['FILMGATE_TRACE_SAMPLE_RATIO', number({ min: 0, max: 1, fallback: 0.1 })],
  /** How long a service serves on after SIGTERM, so that balancers take it out first. */
  drainMs: ['FILMGATE_DRAIN_MS', integer({ min: 0, max: 60_000, fallback: 5_000 })],
  development: ['FILMGATE_DEVELOPMENT', flag(false)],
  /** The IP address to listen on, such as 127.0.0.1. Unset: every one, as a pod needs it. */
  host: ['FILMGATE_HOST', optional(text({ pattern: /^[0-9a-f.:]{2,45}$/i }))],
} as const

/** `DATABASE_DIRECT_URL` is set where `DATABASE_URL` leads to a pooler such as PgBouncer: it leads to Postgres itself. */
export const databaseVariables = {
  databaseUrl: ['DATABASE_URL', url({ protocols: ['postgres', 'postgresql'] })],
  databaseDirectUrl: ['DATABASE_DIRECT_URL', optional(url({ protocols: ['postgres', 'postgresql'] }))],
} as const

/** As connectPostgres and migrate take them. */
export const addressesOf = (config: { databaseUrl: string; databaseDirectUrl?: string | undefined }) => ({
  url: config.databaseUrl,
  directUrl: config.databaseDirectUrl,
})

export const busVariables = {
  kafka: kafkaEnvironment,
  topicPrefix: ['FILMGATE_TOPIC_PREFIX', text({ fallback: 'filmgate', pattern: /^[a-z0-9-]{1,60}$/ })],
} as const

const httpsOrigins: Reader<string[]> = {
  parse: raw =>
    list()
      .parse(raw)
      .map(origin => url({ protocols: ['https'] }).parse(origin)),
}

/** Private hosts that media may be fetched from, such as the local stack's own; several with commas. */
export const sampleMediaVariables = (release: boolean) =>
  ({ sampleMediaOrigins: ['FILMGATE_SAMPLE_MEDIA_ORIGIN', developmentOnly(httpsOrigins, release)] }) as const

/** An https URL or a mail address. */
export const contact = () => text({ pattern: /^(?:https:\/\/|[!-'*-?A-~]+@)[!-'*-~]{1,200}$/ })

/** Where hosts that we fetch from reach whoever runs this: part of our User-Agent. */
export const fetchVariables = {
  fetchContact: ['FILMGATE_FETCH_CONTACT', optional(contact())],
} as const
