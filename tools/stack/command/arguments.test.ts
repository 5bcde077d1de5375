import { expect, test } from 'bun:test'
import { explain, StackFault } from '../fault'
import { parseStackArguments, parseStartArguments, portBaseFrom, readArguments, requireKnown } from './arguments'

test('without options the whole dev stack with its data is used', () => {
  const { verb, name, options } = parseStackArguments(['restart', 'ledger'])
  expect([verb, name]).toEqual(['restart', 'ledger'])
  expect(options).toMatchObject({ only: 'all', fresh: false, gateways: 1, json: false, help: false })
})

test('a usage error is a message, not a stack trace', () => {
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

test('logs are shown for all parts or for one', () => {
  expect(parseStackArguments(['logs'])).toMatchObject({ verb: 'logs', name: undefined, options: { follow: false, lines: 50 } })
  expect(parseStackArguments(['logs', 'ledger', '-f', '-n', '5'])).toMatchObject({ name: 'ledger', options: { follow: true, lines: 5 } })
  expect(() => parseStackArguments(['logs', 'ledger', 'gateway'])).toThrow('`stack logs` takes no such argument: gateway\n')
  expect(() => parseStackArguments(['logs', '-n', 'x'])).toThrow('--lines takes a whole number')
})

test('a surplus argument is rejected', () => {
  expect(() => parseStackArguments(['up', 'ledger'])).toThrow('`stack up` takes no such argument: ledger\n')
  expect(() => parseStackArguments(['kill', 'ledger', 'catalog'])).toThrow('`stack kill` takes no such argument: catalog\n')
  expect(() => parseStackArguments(['upp', 'ledger'])).toThrow('There is no `stack upp`.\n')
  expect(() => parseStartArguments(['foo'], 'Usage: bun start')).toThrow(/foo.*\n\nUsage: bun start$/s)
  expect(parseStartArguments(['--fresh'], '')).toMatchObject({ instance: 'dev', fresh: true })
})

test('an unknown option or argument is reported with the usage', () => {
  for (const args of [['--bad'], ['extra']]) {
    const call = () => readArguments({ args, options: { keep: { type: 'boolean' } } }, 'Usage: bun run it')
    expect(call).toThrow(StackFault)
    expect(call).toThrow(/(--bad|extra).*\n\nUsage: bun run it$/s)
  }
})

test('an unknown name is rejected with the list of known ones', () => {
  expect(() => requireKnown('part', ['speed', 'urlz'], ['urls', 'speed'])).toThrow(
    new StackFault('There is no part urlz; there are: urls, speed'),
  )
  requireKnown('part', ['speed'], ['urls', 'speed'])
})

test('a full disk is reported in one sentence with a remedy', () => {
  const error = Object.assign(new Error('write'), { code: 'ENOSPC', path: '/x/y' })
  expect(explain(error)).toBe('The disk is full (writing /x/y): free a few hundred megabytes and run the command again.')
})
