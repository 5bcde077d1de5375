import { expect, test } from 'bun:test'
import { ConfigError, flag, integer, list, number, optional, readVariables, secret, text, url } from './variables'

const shape = {
  port: ['PORT', integer({ min: 0, max: 65_535, fallback: 4100 })],
  ratio: ['RATIO', number({ min: 0, max: 1, fallback: 0.1 })],
  name: ['NAME', text({ pattern: /^[a-z]+$/ })],
  on: ['ON', flag(false)],
  database: ['DATABASE_URL', url({ protocols: ['postgres'] })],
  brokers: ['BROKERS', list()],
  token: ['TOKEN', secret({ lengthMin: 24 })],
  extra: ['EXTRA', optional(url())],
} as const

const env = { NAME: 'x', DATABASE_URL: 'postgres://u:hush@h/d', BROKERS: ' a:1, ,b:2 ', TOKEN: 'a-token-of-24-characters' }

const faultsOf = (changes: Record<string, string | undefined>): string[] => {
  try {
    readVariables({ ...env, ...changes }, shape)
    return []
  } catch (error) {
    if (error instanceof ConfigError) return error.faults
    throw error
  }
}

test('what is set is parsed, what is not has its fallback, and the result cannot be changed', () => {
  const config = readVariables({ ...env, ON: 'yes', PORT: '80' }, shape)
  expect(config).toEqual({
    port: 80,
    ratio: 0.1,
    name: 'x',
    on: true,
    database: 'postgres://u:hush@h/d',
    brokers: ['a:1', 'b:2'],
    token: 'a-token-of-24-characters',
    extra: undefined,
  })
  expect(Object.isFrozen(config)).toBe(true)
})

test('an empty variable counts as one that is not set', () => {
  expect(readVariables({ ...env, PORT: '', EXTRA: '' }, shape)).toMatchObject({ port: 4100, extra: undefined })
  expect(faultsOf({ NAME: '' })).toEqual(['NAME is not set'])
})

test('every fault is listed at once, each with its variable', () => {
  const faults = faultsOf({
    PORT: '70000',
    RATIO: 'half',
    NAME: 'X',
    ON: 'perhaps',
    DATABASE_URL: undefined,
    TOKEN: 'short',
    EXTRA: 'not a url',
  })
  expect(faults.map(fault => fault.split(' ')[0])).toEqual(['PORT', 'RATIO', 'NAME', 'ON', 'DATABASE_URL', 'TOKEN', 'EXTRA'])
})

test.each([
  ['PORT', '1.5'],
  ['PORT', '-1'],
  ['PORT', ' '],
  ['PORT', '1e99'],
  ['RATIO', '1.01'],
  ['RATIO', 'NaN'],
  ['DATABASE_URL', 'mysql://h/d'],
  ['ON', '2'],
])('%s=%p is a fault', (variable, value) => {
  expect(faultsOf({ [variable]: value })).toHaveLength(1)
})

test('neither a secret nor a URL that may hold one is repeated in a fault', () => {
  const words = faultsOf({ TOKEN: 'hush', DATABASE_URL: 'mysql://u:hush@h', EXTRA: 'hush hush' }).join(' ')
  expect(words).not.toContain('hush')
})
