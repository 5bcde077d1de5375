import { afterAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { kafkaEnvironment } from './kafka-environment'
import { ConfigError } from './variables'

const dir = mkdtempSync(join(tmpdir(), 'filmgate-kafka-'))
afterAll(() => rmSync(dir, { recursive: true }))

const file = (name: string, text: string): string => {
  writeFileSync(join(dir, name), text)
  return join(dir, name)
}
const read = (env: Record<string, string>) => kafkaEnvironment.readGroup({ KAFKA_BROKERS: 'k:9092', ...env })

function faultsOf(env: Record<string, string>): string[] {
  try {
    read(env)
  } catch (error) {
    if (error instanceof ConfigError) return error.faults
    throw error
  }
  return []
}

test('brokers alone are reached in clear and without a name', () => {
  expect(read({})).toEqual({ brokers: ['k:9092'] })
})

test('a file of a secret is read each time it is asked for, without its last line end', () => {
  const password = file('password', 'first\n')
  const { sasl, tls } = read({
    FILMGATE_KAFKA_TLS: '1',
    FILMGATE_KAFKA_SASL_MECHANISM: 'scram-sha-512',
    FILMGATE_KAFKA_SASL_USERNAME: 'filmgate',
    FILMGATE_KAFKA_SASL_PASSWORD_FILE: password,
  })
  expect([tls, sasl?.mechanism, sasl?.username(), sasl?.password()]).toEqual([{}, 'scram-sha-512', 'filmgate', 'first'])
  file('password', 'second')
  expect(sasl?.password()).toBe('second')
})

test('what is told half, twice or would go over the wire in clear is refused, every fault at once and no secret in it', () => {
  const faults = faultsOf({
    FILMGATE_KAFKA_TLS_CA_FILE: file('ca.pem', ''),
    FILMGATE_KAFKA_TLS_CERT_FILE: '/nowhere/tls.crt',
    FILMGATE_KAFKA_SASL_MECHANISM: 'plain',
    FILMGATE_KAFKA_SASL_PASSWORD: 'a-secret',
    FILMGATE_KAFKA_SASL_PASSWORD_FILE: file('password', 'another-secret'),
  })
  expect(faults).toEqual([
    'FILMGATE_KAFKA_TLS_CA_FILE needs FILMGATE_KAFKA_TLS=1',
    'FILMGATE_KAFKA_TLS_CERT_FILE needs FILMGATE_KAFKA_TLS=1',
    'FILMGATE_KAFKA_TLS_CERT_FILE and FILMGATE_KAFKA_TLS_KEY_FILE are set together or not at all',
    'FILMGATE_KAFKA_SASL_MECHANISM=plain sends the password in clear without FILMGATE_KAFKA_TLS=1',
    'FILMGATE_KAFKA_SASL_USERNAME or FILMGATE_KAFKA_SASL_USERNAME_FILE is not set, and FILMGATE_KAFKA_SASL_MECHANISM is',
    'FILMGATE_KAFKA_SASL_PASSWORD and FILMGATE_KAFKA_SASL_PASSWORD_FILE are both set: one of them',
    'FILMGATE_KAFKA_TLS_CERT_FILE names /nowhere/tls.crt, which is not there',
  ])
  expect(faultsOf({ FILMGATE_KAFKA_SASL_USERNAME: 'x' })).toEqual([
    'FILMGATE_KAFKA_SASL_MECHANISM is not set, and FILMGATE_KAFKA_SASL_USERNAME is',
  ])
  expect(faultsOf({ FILMGATE_KAFKA_SASL_MECHANISM: 'gssapi' })).toHaveLength(1)
})
