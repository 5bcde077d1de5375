import { expect, test } from 'bun:test'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { create } from '@bufbuild/protobuf'
import { ConfigError } from '@filmgate/kit/environment/variables'
import { ModelCardSchema } from '@filmgate/proto/gen/filmgate/v1/catalog_pb'
import { connectSimulator } from '../makers/simulator/connect-simulator'
import { unmapped } from '../makers/simulator/unmapped'
import { readRoutes } from './read-routes'
import { createRouting } from './routing'

const maker = (name: string) =>
  connectSimulator({
    maker: name,
    url: 'http://127.0.0.1:1',
    key: 'unused',
    visibilityMs: 0,
    firstPollMs: 1_000,
    submitTimeoutMs: 1,
    readTimeoutMs: 1,
  })

test('routes of a model are its own, else the default’s, and only those whose maker is configured', () => {
  const file = { default: [{ maker: 'b' }], models: { own: [{ maker: 'absent' }, { maker: 'a', model: 'their-name' }, { maker: 'b' }] } }
  const routing = createRouting(file, [maker('a'), maker('b')])
  const named = (model: string) => routing.routesOf(model).map(route => [route.connector.maker, route.makerModel])
  expect(named('own')).toEqual([
    ['a', 'their-name'],
    ['b', 'own'],
  ])
  expect(named('another')).toEqual([['b', 'another']])
  expect(createRouting(file, []).routesOf('own')).toEqual([])
})

test('the routes that travel with the code are sound', () => {
  expect(readRoutes(undefined).default).toEqual([{ maker: 'simulator' }])
})

test('a routing file with a fault is refused with the place of the fault', () => {
  const path = join(mkdtempSync(join(tmpdir(), 'filmgate-routes-')), 'routes.json')
  writeFileSync(path, JSON.stringify({ default: [{ maker: 'a', modle: 'b' }], models: { x: [] } }))
  expect(() => readRoutes(path)).toThrow(ConfigError)
  expect(() => readRoutes(path)).toThrow('/default/0/modle')
  expect(() => readRoutes(path)).toThrow('/models/x')
  expect(() => readRoutes(join(path, 'absent'))).toThrow('can’t be read')
})

test('what a card offers and the simulator has no word for is named', () => {
  const fields = [
    { name: 'resolution', choices: ['768p', '8k'] },
    { name: 'aspect_ratio', choices: ['16:9', 'adaptive', 'wide'] },
    { name: 'duration', max: 90n },
  ]
  const card = create(ModelCardSchema, { model: 'm', modes: [{ name: 'text-to-video', fields }, { name: 'text-to-opera' }] })
  expect(unmapped(card)).toEqual([
    'text-to-video resolution 8k',
    'text-to-video aspect_ratio wide',
    'text-to-video duration 90',
    'mode text-to-opera',
  ])
})
