import { expect, test } from 'bun:test'
import { create } from '@bufbuild/protobuf'
import { testLog } from '@filmgate/kit/testing'
import { type CatalogEvent, CatalogEventSchema, type ModelCard } from '@filmgate/proto/gen/filmgate/v1/catalog_pb'
import { ModelOfferSchema } from '@filmgate/proto/gen/filmgate/v1/offers_pb'
import { createCatalogTable } from './catalog-table'
import { testCard } from './testing/cards'

const cardRow = (card: ModelCard): CatalogEvent => create(CatalogEventSchema, { event: { case: 'modelCard', value: card } })
const indexRow = (...models: string[]): CatalogEvent =>
  create(CatalogEventSchema, { event: { case: 'catalogIndex', value: { models, defaultModel: models[0] ?? '', priceVersion: 'p1' } } })

test('no catalog is in force before every model of the index has its card', () => {
  const table = createCatalogTable(testLog)
  expect(() => table.current()).toThrow('no catalog yet')
  table.apply('test-1', cardRow(testCard()))
  table.apply('_index', indexRow('test-1', 'test-2'))
  expect(table.loaded()).toBe(false)
  table.apply('test-2', cardRow(testCard({ model: 'test-2' })))
  expect([...table.current().models.keys()]).toEqual(['test-1', 'test-2'])
})

test('a new card is in force at once and changes the version; one the index drops is gone', () => {
  const table = createCatalogTable(testLog)
  table.apply('test-1', cardRow(testCard()))
  table.apply('test-2', cardRow(testCard({ model: 'test-2' })))
  table.apply('_index', indexRow('test-1', 'test-2'))
  const { version } = table.current()
  table.apply('test-2', cardRow(testCard({ model: 'test-2', cardVersion: 'c2' })))
  expect(table.current().version).not.toBe(version)
  table.apply('_index', indexRow('test-1'))
  table.apply('test-2', undefined)
  expect([...table.current().models.keys()]).toEqual(['test-1'])
})

test('a card that cannot be compiled leaves the one before it in force', () => {
  const table = createCatalogTable(testLog)
  table.apply('test-1', cardRow(testCard()))
  table.apply('_index', indexRow('test-1'))
  const before = table.current()
  table.apply('test-1', cardRow(testCard({ modes: [] })))
  expect(table.current()).toBe(before)
})

test('an offer is in force whichever comes first, changes the version, and without it the card is offered whole again', () => {
  const gone = create(ModelOfferSchema, { model: 'test-1', available: false })
  const table = createCatalogTable(testLog)
  table.applyOffer('test-1', gone)
  table.applyOffer('unheard', gone)
  table.apply('test-1', cardRow(testCard()))
  table.apply('_index', indexRow('test-1'))
  const seen = () => [table.current().models.get('test-1')?.available, table.unavailable()]
  expect(seen()).toEqual([false, 1])
  const { version } = table.current()
  table.applyOffer('test-1', undefined)
  expect(seen()).toEqual([true, 0])
  expect(table.current().version).not.toBe(version)
  const whole = table.current()
  table.applyOffer('test-1', create(ModelOfferSchema, { model: 'test-1', available: true, unoffered: [{ mode: 'image-to-video' }] }))
  expect(table.current()).not.toBe(whole)
  expect([...(table.current().models.get('test-1')?.modes.keys() ?? [])]).toEqual(['text-to-video', 'media-to-video'])
  table.apply('test-1', cardRow(testCard({ cardVersion: 'c2' })))
  expect([...(table.current().models.get('test-1')?.modes.keys() ?? [])]).toEqual(['text-to-video', 'media-to-video'])
})

test('an offer of so many orders lets them pass, then the model is unavailable until the next offer, the same one too', () => {
  const two = create(ModelOfferSchema, { model: 'test-1', available: true, ordersMax: 2 })
  const table = createCatalogTable(testLog)
  table.apply('test-1', cardRow(testCard()))
  table.apply('_index', indexRow('test-1'))
  const isAvailable = () => table.current().models.get('test-1')?.available
  const take = () => [table.takeOrder('test-1'), isAvailable()]
  expect([take(), take()]).toEqual([
    [true, true],
    [true, true],
  ])
  table.applyOffer('test-1', two)
  const { version } = table.current()
  expect([take(), take(), take()]).toEqual([
    [true, true],
    [true, false],
    [false, false],
  ])
  expect(table.current().version).not.toBe(version)
  table.apply('test-1', cardRow(testCard({ cardVersion: 'c2' })))
  expect(isAvailable()).toBe(false)
  table.applyOffer('test-1', two)
  expect([isAvailable(), ...take()]).toEqual([true, true, true])
  table.giveOrderBack('test-1')
  table.giveOrderBack('test-1')
  table.giveOrderBack('test-1')
  expect([take(), take(), take()]).toEqual([
    [true, true],
    [true, false],
    [false, false],
  ])
  table.applyOffer('test-1', create(ModelOfferSchema, { model: 'test-1', available: true }))
  expect([take(), take(), take()].flat()).toEqual([true, true, true, true, true, true])
})
