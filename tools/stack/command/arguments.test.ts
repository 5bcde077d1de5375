import { expect, test } from 'bun:test'
import { explain, StackFault } from '../fault'
import { parseStackArguments, parseStartArguments, portBaseFrom, readArguments, requireKnown } from './arguments'

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

test('logs are asked for of all parts or of one', () => {
  expect(parseStackArguments(['logs'])).toMatchObject({ verb: 'logs', name: undefined, options: { follow: false, lines: 50 } })
  expect(parseStackArguments(['logs', 'ledger', '-f', '-n', '5'])).toMatchObject({ name: 'ledger', options: { follow: true, lines: 5 } })
  expect(() => parseStackArguments(['logs', 'ledger', 'gateway'])).toThrow('`stack logs` takes no such word: gateway\n')
  expect(() => parseStackArguments(['logs', '-n', 'x'])).toThrow('--lines takes a whole number')
})

test('a word that no one would look at is refused', () => {
  expect(() => parseStackArguments(['up', 'ledger'])).toThrow('`stack up` takes no such word: ledger\n')
  expect(() => parseStackArguments(['kill', 'ledger', 'catalog'])).toThrow('`stack kill` takes no such word: catalog\n')
  expect(() => parseStackArguments(['upp', 'ledger'])).toThrow('There is no `stack upp`.\n')
  expect(() => parseStartArguments(['foo'], 'Usage: bun start')).toThrow(/foo.*\n\nUsage: bun start$/s)
  expect(parseStartArguments(['--fresh'], '')).toMatchObject({ instance: 'dev', fresh: true })
})

test('an option that nothing knows, and a word where none is taken, are told with the usage', () => {
  for (const args of [['--bad'], ['extra']]) {
    const call = () => readArguments({ args, options: { keep: { type: 'boolean' } } }, 'Usage: bun run it')
    expect(call).toThrow(StackFault)
    expect(call).toThrow(/(--bad|extra).*\n\nUsage: bun run it$/s)
  }
})

test('a name that nothing answers to is refused with those that are there', () => {
  expect(() => requireKnown('part', ['speed', 'urlz'], ['urls', 'speed'])).toThrow(
    new StackFault('There is no part urlz; there are: urls, speed'),
  )
  requireKnown('part', ['speed'], ['urls', 'speed'])
})

test('a full disk is told as one sentence that says what to do', () => {
  const error = Object.assign(new Error('write'), { code: 'ENOSPC', path: '/x/y' })
  expect(explain(error)).toBe('The disk is full (writing /x/y): free a few hundred megabytes and run the command again.')
})
