import { expect, test } from 'bun:test'
import models from '../testing/models.json'
import { cheapestModel, openingPrice } from './cheapest-model'
import type { Model } from './model'

const all = models.data as unknown as Model[]
const named = (id: string) => all.find(model => model.id === id) as Model

test('the price that a form opens with is that of its defaults: per second, with or without sound, or per generation', () => {
  expect(all.map(model => [model.id, openingPrice(model)])).toEqual([
    ['alpha-h3', 42],
    ['beta-2.0-fast', 68],
    ['delta-2.6', 26],
    ['kappa-02', 11],
  ])
  expect(openingPrice({ ...named('alpha-h3'), pricing: undefined })).toBe(Number.POSITIVE_INFINITY)
})

test('the cheapest is one that is available, and the first of those without a price', () => {
  expect(cheapestModel(all)?.id).toBe('delta-2.6')
  expect(cheapestModel(all.map(model => ({ ...model, pricing: undefined })))?.id).toBe('alpha-h3')
  expect(cheapestModel(all.map(model => ({ ...model, available: false })))).toBeUndefined()
})
