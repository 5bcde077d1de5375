import { expect, test } from 'bun:test'
import { ConfigError } from '@filmgate/kit/environment/variables'
import { readConfig } from './config'

const sound = {
  DATABASE_URL: 'postgres://a:b@127.0.0.1/c',
  KAFKA_BROKERS: '127.0.0.1:9092',
  FILMGATE_OPERATOR_TOKEN: 'x'.repeat(24),
  FILMGATE_WEBHOOKS_TOKEN: 'y'.repeat(24),
  FILMGATE_WEBHOOKS_SECRET_KEY: 'z'.repeat(32),
}

const faultsOf = (env: Record<string, string>): string[] => {
  try {
    readConfig(env)
    return []
  } catch (error) {
    if (error instanceof ConfigError) return error.faults
    throw error
  }
}

test('what is needed is enough', () => {
  expect(faultsOf(sound)).toEqual([])
})

test.each([
  ['15000', '10000', undefined],
  ['14999', '10000', 15_000],
  ['24999', '20000', 25_000],
  ['8000', '3000', undefined],
])('a lease of %s ms with attempts of %s ms: at least %p', (leaseMs, attemptTimeoutMs, min) => {
  const faults = faultsOf({ ...sound, FILMGATE_WEBHOOKS_LEASE_MS: leaseMs, FILMGATE_WEBHOOKS_ATTEMPT_TIMEOUT_MS: attemptTimeoutMs })
  const words = '5 s more than FILMGATE_WEBHOOKS_ATTEMPT_TIMEOUT_MS: raise it or lower that'
  expect(faults).toEqual(min === undefined ? [] : [`FILMGATE_WEBHOOKS_LEASE_MS must be at least ${min}, ${words}`])
})
