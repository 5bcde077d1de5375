import { expect, test } from 'bun:test'
import type { Failure } from '@filmgate/kit/failure'
import { testCard, testCatalog } from '../../catalog/testing/cards'
import { readBindings, throwUnlessBound } from './read-bindings'

const catalog = () => testCatalog(testCard())

function issuesOf(act: () => unknown): { path: string; rule: string }[] {
  try {
    act()
    return []
  } catch (error) {
    return ((error as Failure).options.details as { issues: { path: string; rule: string }[] }).issues
  }
}

test('what is given is read, each once; null unbinds, and what is left out is not there', () => {
  const addresses = ['192.0.2.0/24', '2001:db8::/32', '198.51.100.7', '192.0.2.0/24', '0.0.0.0/0']
  expect(readBindings({ models: ['test-1', 'test-1'], addresses }, catalog)).toEqual({
    models: ['test-1'],
    addresses: ['192.0.2.0/24', '2001:db8::/32', '198.51.100.7', '0.0.0.0/0'],
  })
  expect(readBindings({ models: null, addresses: null }, catalog)).toEqual({ models: null, addresses: null })
  expect(readBindings({}, catalog)).toEqual({})
})

test.each([
  'localhost',
  '192.0.2.0/33',
  '192.0.2.1/24',
  '192.0.2',
  '192.0.2.0/24/8',
  ' 192.0.2.0/24',
  '192.0.2.0/+24',
  '::ffff:192.0.2.0/120',
  'fe80::1%eth0',
  '2001:db8::1/32',
  '192.0.2.0/24\n',
  '0x7f.1',
  '\u0661.1.1.1',
  '',
])('%p is no range of addresses', address => {
  expect(issuesOf(() => readBindings({ addresses: ['192.0.2.1', address] }, catalog))).toMatchObject([
    { path: 'addresses[1]', rule: 'address_range' },
  ])
})

test('every model that there is not is named', () => {
  const models = ['test-1', 'test-2', '__proto__']
  expect(issuesOf(() => readBindings({ models, addresses: ['x'] }, catalog)).map(({ path }) => path)).toEqual([
    'models[1]',
    'models[2]',
    'addresses[0]',
  ])
})

test('a model that the key is not bound to is refused; a key bound to none takes all', () => {
  expect(issuesOf(() => throwUnlessBound({ models: ['a', 'b'] }, 'c'))).toMatchObject([{ path: 'model', rule: 'key_models' }])
  for (const models of [undefined, null, ['c']]) expect(issuesOf(() => throwUnlessBound({ models }, 'c'))).toEqual([])
})
