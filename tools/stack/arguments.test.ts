import { expect, test } from 'bun:test'
import { parseStackArguments, portBaseFrom } from './arguments'
import { explain, StackFault } from './fault'

test('a call without options means the dev stack, all of it, with its data', () => {
  const { verb, name, options } = parseStackArguments(['restart', 'ledger'])
  expect([verb, name]).toEqual(['restart', 'ledger'])
  expect(options).toMatchObject({ only: 'all', fresh: false, gateways: 1, json: false, help: false })
})

test('a slip is a sentence, not a stack', () => {
  for (const args of [
    ['up', '--frsh'],
    ['up', '--gateways', '0'],
    ['up', '--only', 'kafka'],
    ['up', '--instance', '../x'],
  ]) {
    expect(() => parseStackArguments(args)).toThrow(StackFault)
  }
  expect(() => portBaseFrom('80', 4100)).toThrow('FILMGATE_PORT_BASE must be a whole number from 1024 to 65000, not "80".')
  expect(portBaseFrom(undefined, 4100)).toBe(4100)
})

test('a full disk is told as one sentence that says what to do', () => {
  const error = Object.assign(new Error('write'), { code: 'ENOSPC', path: '/x/y' })
  expect(explain(error)).toBe('The disk is full (writing /x/y): free a few hundred megabytes and run the command again.')
})
