import { expect, test } from 'bun:test'
import { loadCatalog } from '../catalog/load-catalog'
import { catalogFiles } from '../config'
import { microCredits } from './price-card'

const rates = { usdPerUnit: 1, margin: 1, creditUsd: 0.01 }

test('rates are whole millionths of a credit, rounded up', () => {
  // 0.50 CNY × 0.14 USD × 100 credits × 1.2
  expect(microCredits(0.5, { ...rates, usdPerUnit: 0.14, margin: 1.2 })).toBe(8_400_000n)
  expect(microCredits(0.1, rates)).toBe(10_000_000n)
  // 16 CNY for a million tokens, of which a second takes 9,720.
  expect(microCredits(16, { ...rates, usdPerUnit: 0.14, tokens: 9720 })).toBe(2_177_280n)
  expect(microCredits(0.000001, { ...rates, usdPerUnit: 0.000001 })).toBe(1n)
})

test('prices that floats can’t represent are exact', () => {
  expect(microCredits(0.1 + 0.2, rates)).toBe(30_000_000n)
  expect(microCredits(1.005, rates)).toBe(100_500_000n)
})

test('a credit that is worth more buys more', () => {
  expect(microCredits(0.5, { ...rates, creditUsd: 0.02 })).toBe(25_000_000n)
  expect(microCredits(1, { ...rates, creditUsd: 0.03 })).toBe(33_333_334n)
})

test('a model priced with and without audio, by clip and by token has a row for each', () => {
  const { cards } = loadCatalog(catalogFiles({ extraCardsDir: undefined, pricesFile: undefined }))
  const rows = (model: string) => cards.find(card => card.model === model)?.pricing?.rows ?? []
  expect(rows('delta-3.0').map(row => [row.resolution, row.audio])).toEqual([
    ['720p', false],
    ['720p', true],
    ['1080p', false],
    ['1080p', true],
    ['4k', false],
    ['4k', true],
  ])
  expect(rows('kappa-2.3').map(row => [row.resolution, row.durationSeconds])).toEqual([
    ['768p', 6],
    ['768p', 10],
    ['1080p', 0],
  ])
  expect(
    rows('beta-2.5')
      .filter(row => row.item === 2)
      .map(row => row.resolution),
  ).toEqual(['480p', '720p', '1080p'])
})
