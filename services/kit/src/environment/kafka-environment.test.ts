import { afterAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { PasswordLogin } from '../bus/login/password-login'
import type { TokenLogin } from '../bus/login/token-login'
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
  const login = sasl as PasswordLogin
  expect([tls, login.mechanism, login.username(), login.password()]).toEqual([{}, 'scram-sha-512', 'filmgate', 'first'])
  file('password', 'second')
  expect(login.password()).toBe('second')
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

const tls = { FILMGATE_KAFKA_TLS: '1' }

test('a token from a file is read for every login, and an empty file gives none', async () => {
  const path = file('token', 'first\n')
  const { sasl } = read({ ...tls, FILMGATE_KAFKA_SASL_MECHANISM: 'oauthbearer', FILMGATE_KAFKA_OAUTH_TOKEN_FILE: path })
  const login = sasl as TokenLogin
  expect(await login.token()).toBe('first')
  file('token', 'second')
  expect(await login.token()).toBe('second')
  file('token', '')
  await expect(login.token()).rejects.toThrow(`${path} is empty`)
})

test('each way to a token is told whole, over TLS, and with nothing that it has no use for', () => {
  const oauth = { FILMGATE_KAFKA_SASL_MECHANISM: 'oauthbearer' }
  const client = { ...oauth, FILMGATE_KAFKA_OAUTH_TOKEN_URL: 'https://id.example/token', FILMGATE_KAFKA_SASL_USERNAME: 'filmgate' }
  const msk = { FILMGATE_KAFKA_SASL_MECHANISM: 'aws-msk-iam', FILMGATE_KAFKA_AWS_REGION: 'eu-central-1' }
  const google = { FILMGATE_KAFKA_SASL_MECHANISM: 'google-iam' }
  const assertion = { FILMGATE_KAFKA_OAUTH_ASSERTION_FILE: file('assertion', 'a.b.c'), FILMGATE_KAFKA_OAUTH_SCOPE: 'kafka' }
  const whole = [{ ...client, FILMGATE_KAFKA_SASL_PASSWORD: 'a-secret' }, { ...client, ...assertion }, msk, google]
  expect(whole.map(env => faultsOf({ ...tls, ...env }))).toEqual([[], [], [], []])
  expect(whole.flatMap(faultsOf).filter(fault => fault.includes('sends the token in clear'))).toHaveLength(4)
  expect(faultsOf({ ...tls, ...oauth })).toEqual([
    'FILMGATE_KAFKA_OAUTH_TOKEN_URL is not set, and FILMGATE_KAFKA_SASL_MECHANISM is',
    'FILMGATE_KAFKA_SASL_USERNAME or FILMGATE_KAFKA_SASL_USERNAME_FILE is not set, and FILMGATE_KAFKA_SASL_MECHANISM is',
    'FILMGATE_KAFKA_SASL_PASSWORD or FILMGATE_KAFKA_SASL_PASSWORD_FILE or FILMGATE_KAFKA_OAUTH_ASSERTION_FILE is not set, and FILMGATE_KAFKA_SASL_MECHANISM is',
  ])
  expect(faultsOf({ ...tls, ...client, ...assertion, FILMGATE_KAFKA_SASL_PASSWORD: 'a-secret' })).toEqual([
    'FILMGATE_KAFKA_SASL_PASSWORD and FILMGATE_KAFKA_OAUTH_ASSERTION_FILE are both set: one of them',
  ])
  expect(faultsOf({ ...tls, ...msk, FILMGATE_KAFKA_SASL_USERNAME: 'filmgate' })).toEqual([
    'FILMGATE_KAFKA_SASL_USERNAME is set, and FILMGATE_KAFKA_SASL_MECHANISM=aws-msk-iam has no use for it',
  ])
  expect(faultsOf({ ...tls, ...client, FILMGATE_KAFKA_OAUTH_TOKEN_URL: 'http://id.example/token' })).toHaveLength(1)
})
