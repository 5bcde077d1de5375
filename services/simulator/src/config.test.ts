import { expect, test } from 'bun:test'
import { readConfig } from './config'

const env = { SIMULATOR_KEY: 'sixteen-characters', SIMULATOR_DATA_DIR: '/var/lib/simulator' }

test('outside development the simulator has to be allowed by name', () => {
  expect(() => readConfig(env)).toThrow('FILMGATE_ALLOW_SIMULATOR must be 1')
  expect(readConfig({ ...env, FILMGATE_ALLOW_SIMULATOR: '1' })).toMatchObject({ port: 4105, rendersMax: 2 })
  expect(readConfig({ ...env, FILMGATE_DEVELOPMENT: '1' })).toMatchObject({ retentionHours: 24 })
})

test('every fault of the environment is told at once', () => {
  expect(() => readConfig({ PORT: 'x', SIMULATOR_KEY: 'short', SIMULATOR_RENDERS_MAX: '0' })).toThrow(
    /PORT [\s\S]*SIMULATOR_KEY [\s\S]*SIMULATOR_DATA_DIR [\s\S]*SIMULATOR_RENDERS_MAX /,
  )
})
