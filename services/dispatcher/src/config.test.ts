import { expect, test } from 'bun:test'
import { ConfigError } from '@filmgate/kit/environment/variables'
import { readConfig } from './config'

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
  const face = { FILMGATE_FAL_URL: 'http://127.0.0.1:4105/fal' }
  expect(readConfig({ ...sound, ...key })).toMatchObject({ falKey: key.FAL_KEY, falUrl: 'https://queue.fal.run' })
  expect(faultsOf({ ...sound, ...key, ...face }).length).toBe(1)
  expect(faultsOf({ ...sound, ...key, ...face, FILMGATE_DEVELOPMENT: '1' })).toEqual([])
  expect(faultsOf({ ...sound, ...key, ...face, FILMGATE_ALLOW_SIMULATOR: '1' })).toEqual([])
  expect(faultsOf({ ...sound, FAL_KEY: 'short' }).length).toBe(1)
})

test('a maker’s key is in the environment or in a file, not in both', () => {
  for (const name of ['FAL_KEY', 'RUNWARE_API_KEY']) {
    const key = { [name]: 'x'.repeat(40) }
    const file = { [`${name}_FILE`]: '/etc/filmgate/makers/key' }
    expect(faultsOf({ ...sound, ...file })).toEqual([])
    expect(faultsOf({ ...sound, ...key, ...file })).toEqual([`${name} and ${name}_FILE are both set: one of them`])
  }
})

test('Runware is on where its key is there, at its own address, and no key of ours goes out in clear', () => {
  const key = { RUNWARE_API_KEY: 'x'.repeat(32) }
  const face = { FILMGATE_RUNWARE_URL: 'http://127.0.0.1:4105/runware/v1' }
  expect(readConfig({ ...sound, ...key })).toMatchObject({ runwareKey: key.RUNWARE_API_KEY, runwareUrl: 'https://api.runware.ai/v1' })
  expect(faultsOf({ ...sound, ...key, ...face })).toEqual([
    'FILMGATE_RUNWARE_URL must start with https:// outside development (FILMGATE_DEVELOPMENT=1): the key would be sent in clear',
  ])
  expect(faultsOf({ ...sound, ...key, ...face, FILMGATE_DEVELOPMENT: '1' })).toEqual([])
})
