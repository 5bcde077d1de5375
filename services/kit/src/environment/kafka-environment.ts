import { existsSync, readFileSync } from 'node:fs'
import type { KafkaAccess, SaslMechanism } from '../bus/open-kafka'
import { ConfigError, flag, type Group, list, optional, readVariables, secret, text } from './variables'

const variables = {
  brokers: ['KAFKA_BROKERS', list()],
  tls: ['FILMGATE_KAFKA_TLS', flag(false)],
  /** The authorities that may have signed the brokers' certificates, PEM; without it the public ones. */
  caFile: ['FILMGATE_KAFKA_TLS_CA_FILE', optional(text())],
  /** A certificate of ours and its key, PEM, where the brokers ask for one. */
  certFile: ['FILMGATE_KAFKA_TLS_CERT_FILE', optional(text())],
  keyFile: ['FILMGATE_KAFKA_TLS_KEY_FILE', optional(text())],
  mechanism: ['FILMGATE_KAFKA_SASL_MECHANISM', optional(text({ pattern: /^(plain|scram-sha-256|scram-sha-512)$/ }))],
  username: ['FILMGATE_KAFKA_SASL_USERNAME', optional(text())],
  usernameFile: ['FILMGATE_KAFKA_SASL_USERNAME_FILE', optional(text())],
  password: ['FILMGATE_KAFKA_SASL_PASSWORD', optional(secret({ lengthMin: 1 }))],
  passwordFile: ['FILMGATE_KAFKA_SASL_PASSWORD_FILE', optional(text())],
} as const

/** How the brokers are reached and who we are there: the same variables for every process of ours that speaks to Kafka. */
export const kafkaEnvironment: Group<KafkaAccess> = {
  readGroup(env) {
    const config = readVariables(env, variables)
    const faults = [...tlsFaults(config), ...saslFaults(config), ...missingFiles(config)]
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

function saslFaults(config: KafkaConfig): string[] {
  const { mechanism, tls } = config
  const either = (name: 'username' | 'password'): string[] => {
    const names = [name, `${name}File`] as const
    const set = names.filter(one => config[one])
    if (set.length > 1) return [`${names.map(called).join(' and ')} are both set: one of them`]
    if (mechanism && set.length === 0) return [`${names.map(called).join(' or ')} is not set, and ${called('mechanism')} is`]
    if (!mechanism && set[0]) return [`${called('mechanism')} is not set, and ${called(set[0])} is`]
    return []
  }
  const inClear = mechanism === 'plain' && !tls
  return [
    ...(inClear ? [`${called('mechanism')}=plain sends the password in clear without ${called('tls')}=1`] : []),
    ...either('username'),
    ...either('password'),
  ]
}

function missingFiles(config: KafkaConfig): string[] {
  const files = ['caFile', 'certFile', 'keyFile', 'usernameFile', 'passwordFile'] as const
  const missing = (path: string | undefined) => path !== undefined && !existsSync(path)
  return files.filter(name => missing(config[name])).map(name => `${called(name)} names ${config[name]}, which is not there`)
}

function accessOf({ brokers, tls, caFile, certFile, keyFile, mechanism, ...config }: KafkaConfig): KafkaAccess {
  return {
    brokers,
    ...(tls && { tls: { caFile, certFile, keyFile } }),
    ...(mechanism && {
      sasl: {
        mechanism: mechanism as SaslMechanism,
        username: () => config.username ?? lineOf(config.usernameFile),
        password: () => config.password ?? lineOf(config.passwordFile),
      },
    }),
  }
}

/** Files of secrets often end with a line's end that is no part of them. */
const lineOf = (path = ''): string => readFileSync(path, 'utf8').replace(/\r?\n$/, '')
