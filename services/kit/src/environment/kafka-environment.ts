import { existsSync } from 'node:fs'
import type { KafkaAccess } from '../bus/open-kafka'
import { loginFaults, loginFiles, loginOf, loginVariables } from './kafka-login'
import { ConfigError, flag, type Group, list, optional, readVariables, text } from './variables'

const variables = {
  brokers: ['KAFKA_BROKERS', list()],
  tls: ['FILMGATE_KAFKA_TLS', flag(false)],
  /** The authorities that may have signed the brokers' certificates, PEM; without it the public ones. */
  caFile: ['FILMGATE_KAFKA_TLS_CA_FILE', optional(text())],
  /** A certificate of ours and its key, PEM, where the brokers ask for one. */
  certFile: ['FILMGATE_KAFKA_TLS_CERT_FILE', optional(text())],
  keyFile: ['FILMGATE_KAFKA_TLS_KEY_FILE', optional(text())],
  ...loginVariables,
} as const

/** How the brokers are reached and who we are there: the same variables for every process of ours that speaks to Kafka. */
export const kafkaEnvironment: Group<KafkaAccess> = {
  readGroup(env) {
    const config = readVariables(env, variables)
    const faults = [...tlsFaults(config), ...loginFaults(config), ...missingFiles(config)]
    if (faults.length > 0) throw new ConfigError(faults)
    return accessOf(config)
  },
}

type Variables = typeof variables
type Name = keyof Variables
type KafkaConfig = { [K in Name]: ReturnType<Variables[K][1]['parse']> }

const called = (name: Name): string => variables[name][0]

function tlsFaults(config: KafkaConfig): string[] {
  const alone = (['caFile', 'certFile', 'keyFile'] as const).filter(name => config[name] && !config.tls)
  const half = Boolean(config.certFile) !== Boolean(config.keyFile)
  return [
    ...alone.map(name => `${called(name)} needs ${called('tls')}=1`),
    ...(half ? [`${called('certFile')} and ${called('keyFile')} are set together or not at all`] : []),
  ]
}

function missingFiles(config: KafkaConfig): string[] {
  const files = ['caFile', 'certFile', 'keyFile', ...loginFiles] as const
  const missing = (path: unknown) => typeof path === 'string' && !existsSync(path)
  return files.filter(name => missing(config[name])).map(name => `${called(name)} names ${config[name]}, which is not there`)
}

function accessOf(config: KafkaConfig): KafkaAccess {
  const { brokers, tls, caFile, certFile, keyFile } = config
  const sasl = loginOf(config)
  return { brokers, ...(tls && { tls: { caFile, certFile, keyFile } }), ...(sasl && { sasl }) }
}
