import { expect, test } from 'bun:test'
import { readConfig } from './config'

const whole = {
  DATABASE_URL: 'postgres://gateway@localhost/gateway',
  REDIS_URL: 'redis://localhost',
  KAFKA_BROKERS: 'localhost:9092',
  FILMGATE_KEY_PEPPER: 'a-pepper-of-at-least-thirty-two-letters',
  FILMGATE_OPERATOR_TOKEN: 'a-token-of-at-least-24-letters',
}

test('no key of a provider’s is asked for until its address is given', () => {
  expect(readConfig(whole).falJwksUrl).toBe(undefined)
  const url = 'https://rest.fal.ai/.well-known/jwks.json'
  expect(readConfig({ ...whole, FILMGATE_FAL_JWKS_URL: url, FILMGATE_FAL_USER_ID: 'usr_1' })).toMatchObject({
    falJwksUrl: url,
    falUserId: 'usr_1',
  })
})

test('keys come in clear on a developer’s machine alone', () => {
  const clear = { ...whole, FILMGATE_FAL_JWKS_URL: 'http://127.0.0.1:4105/fal/.well-known/jwks.json' }
  expect(() => readConfig(clear)).toThrow('FILMGATE_FAL_JWKS_URL must start with https://')
  expect(readConfig({ ...clear, FILMGATE_DEVELOPMENT: '1' }).falJwksUrl).toBe(clear.FILMGATE_FAL_JWKS_URL)
  expect(readConfig({ ...clear, FILMGATE_ALLOW_SIMULATOR: '1' }).falJwksUrl).toBe(clear.FILMGATE_FAL_JWKS_URL)
})

test('the webhooks service has its address and its token together', () => {
  const both = { FILMGATE_WEBHOOKS_URL: 'http://127.0.0.1:4109', FILMGATE_WEBHOOKS_TOKEN: 'a-token-of-at-least-24-letters' }
  expect(readConfig({ ...whole, ...both })).toMatchObject({
    webhooksUrl: both.FILMGATE_WEBHOOKS_URL,
    webhooksToken: both.FILMGATE_WEBHOOKS_TOKEN,
  })
  for (const name of ['FILMGATE_WEBHOOKS_URL', 'FILMGATE_WEBHOOKS_TOKEN'])
    expect(() => readConfig({ ...whole, ...both, [name]: undefined })).toThrow('must be set together')
})
