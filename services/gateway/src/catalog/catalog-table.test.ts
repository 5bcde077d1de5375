import { expect, test } from 'bun:test'
import { create } from '@bufbuild/protobuf'
import { testLog } from '@filmgate/kit/testing'
import { type CatalogEvent, CatalogEventSchema, type ModelCard } from '@filmgate/proto/gen/filmgate/v1/catalog_pb'
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
