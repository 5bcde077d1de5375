import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { connect } from 'node:tls'
import { type ISocketFactory, Kafka, type KafkaConfig, logLevel } from 'kafkajs'
import { tokenMechanism } from './login/authenticate-by-token'
import { type PasswordLogin, passwordMechanism } from './login/password-login'
import type { TokenLogin } from './login/token-login'

/** How brokers are reached. What lies in files is read for every connection, so that a rotated secret is in force without a restart. */
export type KafkaAccess = {
  brokers: string[]
  tls?: { caFile?: string; certFile?: string; keyFile?: string }
  sasl?: PasswordLogin | TokenLogin
}

const keepAliveMs = 60_000
/** A name looked up, a connection opened and, with TLS, two round trips more. */
const connectTimeoutMs = 5_000

export type KafkaOptions = Pick<KafkaConfig, 'clientId' | 'connectionTimeout' | 'requestTimeout' | 'retry' | 'socketFactory'>

/** The one place where a client of Kafka is made: how it is reached and who we are is said here and nowhere else. */
export const openKafka = ({ brokers, tls, sasl }: KafkaAccess, options: KafkaOptions): Kafka =>
  new Kafka({
    connectionTimeout: connectTimeoutMs,
    ...options,
    brokers,
    logLevel: logLevel.NOTHING,
    ...(tls && { ssl: true, socketFactory: tlsSockets(tls) }),
    ...(sasl && { sasl: 'token' in sasl ? tokenMechanism(sasl) : passwordMechanism(sasl) }),
  })

const tlsSockets =
  ({ caFile, certFile, keyFile }: NonNullable<KafkaAccess['tls']>): ISocketFactory =>
  ({ host, port, onConnect }) => {
    const socket = connect(
      {
        host,
        port,
        ...(!isIP(host) && { servername: host }),
        ...(caFile && { ca: readFileSync(caFile) }),
        ...(certFile && keyFile && { cert: readFileSync(certFile), key: readFileSync(keyFile) }),
      },
      onConnect,
    )
    socket.setKeepAlive(true, keepAliveMs)
    return socket
  }
