import { expect, test } from 'bun:test'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { create, type MessageInitShape } from '@bufbuild/protobuf'
import { ConfigError } from '@filmgate/kit/environment/variables'
import { FieldKind, ModelCardSchema } from '@filmgate/proto/gen/filmgate/v1/catalog_pb'
import { OrderSchema } from '@filmgate/proto/gen/filmgate/v1/order_pb'
import { scalarOf } from '@filmgate/proto/scalar'
import { ownRoutes } from '../config'
import { connectFal } from '../providers/fal/connect-fal'
import { connectRunware } from '../providers/runware/connect-runware'
import { connectSimulator } from '../providers/simulator/connect-simulator'
import { lackingEverywhere } from './card-values'
import { readRoutes } from './read-routes'
import { createRouting, type RouteTable } from './routing'

const provider = (name: string) =>
  connectSimulator({
    provider: name,
    url: 'http://127.0.0.1:1',
    key: 'unused',
    visibilityMs: 0,
    firstPollMs: 1_000,
    submitTimeoutMs: 1,
    readTimeoutMs: 1,
  })

const orderFor = (model: string, changes: MessageInitShape<typeof OrderSchema> = {}) => {
  const values = { prompt: 'a boat', durationSeconds: 5, resolution: '720p', aspectRatio: '16:9' }
  return create(OrderSchema, { model, mode: 'text-to-video', ...values, ...changes })
}

test('routes of a model are its own, else the default’s, and only those whose provider is configured', () => {
  const file = {
    default: [{ provider: 'b' }],
    models: { own: [{ provider: 'absent' }, { provider: 'a', model: 'their-name' }, { provider: 'b' }] },
  }
  const routing = createRouting(file, [provider('a'), provider('b')])
  const named = (model: string) => routing.routesOf(orderFor(model)).map(route => [route.connector.provider, route.providerModel])
  expect(named('own')).toEqual([
    ['a', 'their-name'],
    ['b', 'own'],
  ])
  expect(named('another')).toEqual([['b', 'another']])
  expect(createRouting(file, []).routesOf(orderFor('own'))).toEqual([])
})

const own = { url: 'http://127.0.0.1:1', key: 'unused', submitTimeoutMs: 1, readTimeoutMs: 1 }
const fal = connectFal(own)
const runware = connectRunware(own)

test('an order takes the first route that has a mapping for all that it says', () => {
  const fields = { prompt: 'prompt', duration: { field: 'duration', max: 10 }, watermark: { values: { false: null } } }
  const ratio = { field: 'ratio', values: ['16:9'] }
  const file: RouteTable = {
    default: [],
    fields: { fal: fields },
    models: {
      m: [
        { provider: 'fal', mode: 'text-to-video', model: { '720p': 'small', '1080p': 'large' }, fields: { aspect_ratio: ratio } },
        {
          provider: 'fal',
          mode: 'image-to-video',
          model: 'moving',
          fields: { resolution: 'size', aspect_ratio: ratio },
          always: { calm: true },
        },
      ],
    },
  }
  const routing = createRouting(file, [fal])
  const order = (changes: object) =>
    create(OrderSchema, {
      ...{ model: 'm', mode: 'text-to-video', prompt: 'a boat', durationSeconds: 5, resolution: '720p', aspectRatio: '16:9' },
      ...changes,
    })
  const taken = (changes: object) => routing.routesOf(order(changes)).map(({ providerModel }) => providerModel)
  expect(taken({})).toEqual(['small'])
  expect(taken({ resolution: '1080p' })).toEqual(['large'])
  expect(taken({ mode: 'image-to-video' })).toEqual(['moving'])
  for (const changes of [{ resolution: '4k' }, { durationSeconds: 11 }, { aspectRatio: '4:3' }, { watermark: true }, { seed: 7n }])
    expect(taken(changes)).toEqual([])
  expect(routing.routesOf(order({ mode: 'image-to-video' }))[0]?.mapping).toEqual({
    fields: { ...fields, resolution: 'size', aspect_ratio: ratio },
    always: { calm: true },
  })
})

test('a provider that stands in serves what no other configured provider has a route for, and nothing else', () => {
  const mapping = { provider: 'fal', mode: 'text-to-video', fields: { prompt: 'prompt' } }
  const file: RouteTable = {
    default: [{ provider: 'simulator' }],
    models: { m: [{ provider: 'simulator' }, mapping, { provider: 'absent' }] },
  }
  const takers = (model: string, ...on: Parameters<typeof createRouting>[1]) =>
    createRouting(file, on)
      .configuredRoutes(model)
      .map(route => route.provider)
  expect(takers('m', provider('simulator'), fal)).toEqual(['fal'])
  expect(takers('m', provider('simulator'))).toEqual(['simulator'])
  expect(takers('other', provider('simulator'), fal)).toEqual(['simulator'])
  expect(createRouting(file, [provider('simulator'), fal]).routesOf(orderFor('m'))).toEqual([])
})

test('an order dearer than a route’s cap does not go that way', () => {
  const capped = { default: [{ provider: 'a', credits_max: 100 }, { provider: 'b' }], models: {} }
  const routing = createRouting(capped, [provider('a'), provider('b')])
  const takers = (credits: bigint) => routing.routesOf(orderFor('m', { credits })).map(({ connector }) => connector.provider)
  expect(takers(100n)).toEqual(['a', 'b'])
  expect(takers(101n)).toEqual(['b'])
})

test('a route without fields, to a provider that doesn’t know ours, is a fault by name', () => {
  expect(() => createRouting({ default: [], models: { m: [{ provider: 'fal', model: 'a' }] } }, [fal])).toThrow(
    'the routes of m: one to fal needs',
  )
  expect(createRouting({ default: [{ provider: 'fal' }], models: {} }, []).connectors).toEqual([])
})

test('the routes that travel with the code are sound: fal first where it is on, then Runware, and the simulator alone where neither is', () => {
  const file = readRoutes([ownRoutes])
  expect(file.default).toEqual([{ provider: 'simulator' }])
  const providers = (...on: ReturnType<typeof provider>[]) =>
    Object.keys(file.models).map(model => [
      ...new Set(
        createRouting(file, on)
          .configuredRoutes(model)
          .map(route => route.provider),
      ),
    ])
  for (const order of providers(provider('simulator'), fal)) expect(order).toEqual(['fal'])
  for (const order of providers(provider('simulator'))) expect(order).toEqual(['simulator'])
  const orders = providers(provider('simulator'), runware, fal).map(String)
  expect([...new Set(orders)].toSorted()).toEqual(['fal', 'fal,runware'])
  expect(providers(runware).filter(order => order.length > 0).length).toBe(7)
})

test('faults of routing files are refused, each with its file and its place', () => {
  const folder = mkdtempSync(join(tmpdir(), 'filmgate-routes-'))
  writeFileSync(join(folder, 'defaults.yaml'), 'routes: [{ provider: a, modle: b }]')
  writeFileSync(join(folder, 'x.yaml'), 'routes: []')
  writeFileSync(join(folder, 'y.yaml'), 'routes: [')
  const read = () => readRoutes([ownRoutes, folder])
  expect(read).toThrow(ConfigError)
  for (const fault of ['defaults.yaml/routes/0/modle: ', 'x.yaml/routes: ', 'y.yaml can’t be read: '])
    expect(read).toThrow(join(folder, fault))
  expect(() => readRoutes([join(folder, 'absent')])).toThrow('absent can’t be read')
})

test('a file takes the place of the one of its name, and leaves the others', () => {
  const folder = mkdtempSync(join(tmpdir(), 'filmgate-routes-'))
  const model = 'gamma-3.1-fast'
  const routes = [{ provider: 'simulator', model: 'elsewhere' }]
  writeFileSync(join(folder, `${model}.yaml`), JSON.stringify({ routes, lacks_at: { google: ['seed'] } }))
  writeFileSync(join(folder, 'a-model-of-mine.json'), JSON.stringify({ routes }))
  const [own, both] = [readRoutes([ownRoutes]), readRoutes([ownRoutes, folder])]
  expect(both.models).toEqual({ ...own.models, [model]: routes, 'a-model-of-mine': routes })
  expect(both.lacks).toEqual({ ...own.lacks, [model]: [], 'a-model-of-mine': [] })
  expect(both.lacks_at?.google).toEqual({ [model]: ['seed'] })
  expect(both.lacks_at?.runware?.[model]).toBeUndefined()
  expect([both.default, both.fields]).toEqual([own.default, own.fields])
})

test('what a card offers and the simulator has no mapping for is named, and an order for it doesn’t go there', () => {
  const fields = [
    { name: 'resolution', kind: FieldKind.CHOICE, choices: ['768p', '8k'] },
    { name: 'aspect_ratio', kind: FieldKind.CHOICE, choices: ['16:9', 'adaptive', 'wide'] },
    { name: 'duration', kind: FieldKind.INTEGER, min: 59n, max: 61n },
    { name: 'mood', kind: FieldKind.BOOLEAN },
  ]
  const card = create(ModelCardSchema, { model: 'm', modes: [{ name: 'text-to-video', fields }, { name: 'text-to-opera' }] })
  const routing = createRouting({ default: [{ provider: 'a' }], models: {} }, [provider('a')])
  expect(lackingEverywhere(routing.configuredRoutes('m'), card)).toEqual([
    'text-to-video resolution 8k',
    'text-to-video aspect_ratio wide',
    'text-to-video duration 61',
    'text-to-video mood true',
    'text-to-video mood false',
    'mode text-to-opera',
  ])
  const takers = (changes: MessageInitShape<typeof OrderSchema>) => routing.routesOf(orderFor('m', changes)).length
  expect(takers({ aspectRatio: 'adaptive' })).toBe(1)
  const mood = { values: { mood: scalarOf(true) } }
  for (const changes of [mood, { resolution: '8k' }, { aspectRatio: 'wide' }, { durationSeconds: 61 }, { mode: 'text-to-opera' }])
    expect(takers(changes)).toBe(0)
})
