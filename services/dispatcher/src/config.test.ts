import { expect, test } from 'bun:test'
import { ConfigError } from '@filmgate/kit/environment/variables'
import { readConfig } from './config'
import { outsideProviders } from './providers/outside-providers'

const sound = {
  DATABASE_URL: 'postgres://a:b@127.0.0.1/c',
  KAFKA_BROKERS: '127.0.0.1:9092',
  S3_ENDPOINT: 'http://127.0.0.1:9000',
  S3_ACCESS_KEY_ID: 'a',
  S3_SECRET_ACCESS_KEY: 'b',
  S3_INPUTS_BUCKET: 'inputs',
  S3_OUTPUTS_BUCKET: 'outputs',
  FILMGATE_OUTPUT_BASE_URL: 'https://outputs.example',
  FILMGATE_OPERATOR_TOKEN: 'x'.repeat(24),
  FILMGATE_ATTEMPT_SECRET: 'x'.repeat(32),
}
const simulator = { FILMGATE_SIMULATOR_URL: 'http://127.0.0.1:4105', SIMULATOR_KEY: 'x'.repeat(16) }

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

test('an output carries an ACL only where that is set, because buckets of today refuse it', () => {
  expect(readConfig(sound).outputsPublicRead).toBe(false)
  expect(readConfig({ ...sound, S3_OUTPUTS_PUBLIC_READ: '1' }).outputsPublicRead).toBe(true)
})

test('a store has two keys, or none where a role has the credentials', () => {
  const { S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY, ...rest } = sound
  expect(faultsOf(rest)).toEqual([])
  const half = ['S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY are set together or not at all']
  expect([faultsOf({ ...rest, S3_ACCESS_KEY_ID }), faultsOf({ ...rest, S3_SECRET_ACCESS_KEY })]).toEqual([half, half])
})

test('attempts’ ids need a secret that nobody guesses', () => {
  const { FILMGATE_ATTEMPT_SECRET, ...rest } = sound
  expect([faultsOf(rest).length, faultsOf({ ...rest, FILMGATE_ATTEMPT_SECRET: 'x'.repeat(31) }).length]).toEqual([1, 1])
})

test('every fault is named at once', () => {
  const { DATABASE_URL, ...rest } = sound
  expect(faultsOf({ ...rest, FILMGATE_ABSENCE_SIGHTINGS_MIN: '0', FILMGATE_FORBIDDEN_RANGES: '10.0.0.0/33' }).length).toBe(3)
})

test('a paying client never gets a simulated video: the simulator needs a word of its own outside development', () => {
  expect(faultsOf({ ...sound, ...simulator }).length).toBe(1)
  expect(faultsOf({ ...sound, ...simulator, FILMGATE_DEVELOPMENT: '1' })).toEqual([])
  expect(faultsOf({ ...sound, ...simulator, FILMGATE_ALLOW_SIMULATOR: '1' })).toEqual([])
  expect(faultsOf({ ...sound, FILMGATE_SIMULATOR_URL: simulator.FILMGATE_SIMULATOR_URL, FILMGATE_DEVELOPMENT: '1' }).length).toBe(1)
})

test('fal is on where its key is there; a key is not sent in clear, and simulated videos need a word of their own there too', () => {
  const key = { FAL_KEY: 'x'.repeat(40) }
  const fake = { FILMGATE_FAL_URL: 'http://127.0.0.1:4105/fal' }
  expect(readConfig({ ...sound, ...key })).toMatchObject({ outside: { fal: { key: key.FAL_KEY, url: 'https://queue.fal.run' } } })
  expect(faultsOf({ ...sound, ...key, ...fake }).length).toBe(1)
  expect(faultsOf({ ...sound, ...key, ...fake, FILMGATE_DEVELOPMENT: '1' })).toEqual([])
  expect(faultsOf({ ...sound, ...key, ...fake, FILMGATE_ALLOW_SIMULATOR: '1' })).toEqual([])
  expect(faultsOf({ ...sound, FAL_KEY: 'short' }).length).toBe(1)
})

test.each(Object.values(outsideProviders))(
  '$key is in the environment or in a file, and goes out in clear nowhere',
  ({ key, url, address }) => {
    const needed: Record<string, string> = address === undefined ? { [url]: 'https://gateway.example/v1' } : {}
    const set = { [key]: 'x'.repeat(40), ...needed }
    const file = { [`${key}_FILE`]: '/etc/filmgate/providers/key', ...needed }
    expect(faultsOf({ ...sound, ...set })).toEqual([])
    expect(Object.values(readConfig({ ...sound, ...set }).outside)).toContainEqual({
      key: 'x'.repeat(40),
      keyFile: undefined,
      url: address ?? 'https://gateway.example/v1',
    })
    expect(faultsOf({ ...sound, ...file })).toEqual([])
    expect(faultsOf({ ...sound, ...set, ...file })).toEqual([`${key} and ${key}_FILE are both set: one of them`])
    for (const odd of ['x'.repeat(40).concat('\n'), 'a key with spaces in it', 'ключ-ключ-ключ-ключ'])
      expect(faultsOf({ ...sound, ...needed, [key]: odd })).toEqual([`${key} is no key: one line of 16 characters or more, without spaces`])
    const fake = { [url]: 'http://127.0.0.1:4105/fake' }
    expect(faultsOf({ ...sound, ...set, ...fake })).toEqual([
      `${url} must start with https:// outside development (FILMGATE_DEVELOPMENT=1): the key would be sent in clear`,
    ])
    expect(faultsOf({ ...sound, ...set, ...fake, FILMGATE_DEVELOPMENT: '1' })).toEqual([])
  },
)

test('a key of a provider that has no address of its own needs one', () => {
  const fault = 'FILMGATE_OPENAI_VIDEOS_URL is not set, and OPENAI_VIDEOS_API_KEY has no other address to go to'
  expect(faultsOf({ ...sound, OPENAI_VIDEOS_API_KEY: 'x'.repeat(40) })).toEqual([fault])
  expect(faultsOf({ ...sound, OPENAI_VIDEOS_API_KEY_FILE: '/etc/filmgate/providers/key' })).toEqual([fault])
  expect(faultsOf({ ...sound, FILMGATE_OPENAI_VIDEOS_URL: 'https://gateway.example/v1' })).toEqual([])
})
