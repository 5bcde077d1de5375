import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { KafkaAccess } from '@filmgate/kit/bus/open-kafka'
import { kafkaEnvironment } from '@filmgate/kit/environment/kafka-environment'
import { ConfigError } from '@filmgate/kit/environment/variables'
import { consoleTokenOf } from '../stack/instance'
import { OpsFault } from './fault'

export type Service = 'gateway' | 'ledger' | 'media-probe' | 'dispatcher' | 'console' | 'webhooks'

/** Those of media-probe, the console and webhooks are asked for only by what speaks to them. */
export const urlVariables = {
  gateway: 'FILMGATE_GATEWAY_URL',
  ledger: 'FILMGATE_LEDGER_URL',
  'media-probe': 'FILMGATE_MEDIA_PROBE_URL',
  dispatcher: 'FILMGATE_DISPATCHER_URL',
  console: 'FILMGATE_CONSOLE_URL',
  webhooks: 'FILMGATE_WEBHOOKS_URL',
} as const

type OptionalService = 'media-probe' | 'console' | 'webhooks'

export interface OperatorSettings {
  urls: Record<Exclude<Service, OptionalService>, string> & { [service in OptionalService]?: string | undefined }
  operatorToken: string
  /** Where the token was read, for whoever has a wrong one. */
  tokenFrom?: string
}

export type LocalConsole = { url: string; accountId: string; token: string }

export interface BrokerSettings {
  kafka: KafkaAccess
  topicPrefix: string
}

const root = resolve(import.meta.dir, '../..')

/** From the environment, else from the file that the local stack writes: .local/filmgate.env, or an instance's own. A command asks only for what it needs. */
export function readSettings(instance: string, env: Record<string, string | undefined> = process.env) {
  const file = instance === 'dev' ? join(root, '.local/filmgate.env') : join(root, '.local', instance, 'filmgate.env')
  const written = existsSync(file) ? parseEnvFile(readFileSync(file, 'utf8')) : {}
  const values: Record<string, string | undefined> = { ...written, ...env }
  const need = <T extends Record<string, string>>(names: T): T => {
    const missing = Object.values(names).filter(name => !values[name])
    if (missing.length) throw new OpsFault(`Set ${missing.join(', ')}, or start the local stack, which writes them to ${file}.`)
    return Object.fromEntries(Object.entries(names).map(([key, name]) => [key, values[name]])) as T
  }
  return {
    operator(): OperatorSettings {
      const { operatorToken, ...urls } = need({
        gateway: urlVariables.gateway,
        ledger: urlVariables.ledger,
        dispatcher: urlVariables.dispatcher,
        operatorToken: 'FILMGATE_OPERATOR_TOKEN',
      })
      const sometimes = {
        'media-probe': values[urlVariables['media-probe']],
        console: values[urlVariables.console],
        webhooks: values[urlVariables.webhooks],
      }
      return { urls: { ...urls, ...sometimes }, operatorToken, tokenFrom: env.FILMGATE_OPERATOR_TOKEN ? 'the environment' : file }
    },
    /** Of the stack alone that has run here: the environment may speak of another, and this one's secrets are not for it. */
    localConsole(): LocalConsole {
      const { [urlVariables.console]: url, FILMGATE_ACCOUNT_ID: accountId } = written
      const token = consoleTokenOf(instance)
      if (url && accountId && token) return { url, accountId, token }
      throw new OpsFault(`No stack "${instance}" has run here, and only such a stack makes sign-in links (\`bun start\`).`)
    },
    /** Empty where none is known: what speaks to no service needs none. */
    token: values.FILMGATE_OPERATOR_TOKEN ?? '',
    broker(): BrokerSettings {
      need({ kafkaBrokers: 'KAFKA_BROKERS' })
      return { kafka: readAccess(values), topicPrefix: values.FILMGATE_TOPIC_PREFIX ?? 'filmgate' }
    },
  }
}

/** The variables that the services have, too. */
function readAccess(values: Record<string, string | undefined>): KafkaAccess {
  try {
    return kafkaEnvironment.readGroup(values)
  } catch (error) {
    if (error instanceof ConfigError) throw new OpsFault(error.message)
    throw error
  }
}

/** NAME=value lines; a value in quotes may hold anything but a quote. */
export function parseEnvFile(text: string): Record<string, string> {
  const lines = text.split('\n').map(line => /^([A-Z][A-Z0-9_]*)=(.*)$/.exec(line.trim()))
  return Object.fromEntries(lines.flatMap(match => (match?.[1] ? [[match[1], (match[2] ?? '').replace(/^(["'])(.*)\1$/, '$2')]] : [])))
}
