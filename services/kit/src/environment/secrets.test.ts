import { expect, test } from 'bun:test'
import { optionalSecrets, secrets } from './secrets'
import { ConfigError } from './variables'

const [first, second, third] = ['first-value-of-24-characters', 'second-value-of-24-letters', 'third-value, with a comma in it']
const read = (current?: string, accepted?: string) =>
  secrets('KEY', { lengthMin: 24 }).readGroup({ ...(current && { KEY: current }), ...(accepted && { KEY_ACCEPTED: accepted }) })

function faultsOf(current?: string, accepted?: string): string[] {
  try {
    read(current, accepted)
    return []
  } catch (error) {
    return (error as ConfigError).faults
  }
}

test('the variable comes first, then what is accepted beside it, one a line, each once', () => {
  expect(read(first)).toEqual([first])
  expect(read(first, second)).toEqual([first, second])
  expect(read(first, `${second}\r\n\n${third}\n`)).toEqual([first, second, third])
  expect(read(first, `${first}\n${second}`)).toEqual([first, second])
})

test('each value has its length, and no fault repeats one', () => {
  expect(faultsOf()).toEqual(['KEY is not set'])
  expect(faultsOf('short')).toEqual(['KEY must have at least 24 characters'])
  expect(faultsOf(first, `${second}\nshort`)).toEqual(['each line of KEY_ACCEPTED must have at least 24 characters'])
  expect(faultsOf(undefined, second)).toEqual(['KEY is not set, and KEY_ACCEPTED is'])
})

test('a value that no line can hold is refused before a rotation begins', () => {
  expect(read(`${first}\n`)).toEqual([`${first}\n`])
  expect(faultsOf(`${first}\n`, second)).toHaveLength(1)
})

test('an optional secret may be missing, but not beside what is accepted', () => {
  const optional = optionalSecrets('KEY', { lengthMin: 24 })
  expect(optional.readGroup({ KEY: '', KEY_ACCEPTED: '' })).toBeUndefined()
  expect(optional.readGroup({ KEY: first, KEY_ACCEPTED: second })).toEqual([first, second])
  expect(() => optional.readGroup({ KEY_ACCEPTED: second })).toThrow(ConfigError)
})
