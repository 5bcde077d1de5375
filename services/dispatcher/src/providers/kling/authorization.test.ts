import { expect, test } from 'bun:test'
import { authorizationOf } from './authorization'

test('an API key goes as it is, whatever letters it has', () => {
  for (const key of ['api-key-kling-0123456789abcdef', 'a-key-of-the-test-simulator', 'short:pair', 'three:parts:of-a-key'])
    expect(authorizationOf(key, Date.now())).toBe(`Bearer ${key}`)
})

/** Made by Python’s hmac and base64, of the same pair and the same moment. */
const token =
  'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJpc3MiOiJhMWIyYzNkNGU1ZjZhN2I4IiwiZXhwIjoxNzAwMDAxODAwLCJuYmYiOjE2OTk5OTk5OTV9.oVcYnXqwBU61dKi4EkoQ5bWCdEY99v1D7Sh5smJC2Ew'

test('a pair’s header is a token of its own moment, which the secret key signs and doesn’t stand in', () => {
  const pair = 'a1b2c3d4e5f6a7b8:s1e2c3r4e5t6k7e8y9'
  expect(authorizationOf(pair, 1_700_000_000_000)).toBe(`Bearer ${token}`)
  expect(authorizationOf(pair, 1_700_000_001_000)).not.toBe(`Bearer ${token}`)
})
