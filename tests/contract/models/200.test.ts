import { expect, test } from 'bun:test'
import type { PublishedCatalog } from '../../catalog/models/published-models'
import { fieldsOf, specifiedModels } from '../../catalog/models/specified-models'
import { openAccount } from '../../support/client/account'
import { requestId } from '../../support/client/errors'

test('every model and mode of the contract with its schema, media limits, rules and prices', async () => {
  const { api } = await openAccount()
  const answer = await api.get('/models')
  const catalog: PublishedCatalog = JSON.parse(answer.text)
  expect([answer.status, catalog.object]).toEqual([200, 'list'])
  expect(answer.headers.get('x-request-id')).toMatch(requestId)
  expect(catalog.data.map(({ id }) => id).toSorted()).toEqual(specifiedModels.map(({ model }) => model).toSorted())
  for (const specified of specifiedModels) {
    const model = catalog.data.find(({ id }) => id === specified.model)
    expect(Object.keys(model?.modes ?? {})).toEqual(Object.keys(specified.modes))
    expect(model?.default_mode).toBe(specified.defaultMode ?? null)
    expect(model?.available).toBe(true)
    expect(model?.pricing.price_version).toBe(catalog.price_version)
    for (const [name, mode] of Object.entries(specified.modes)) {
      const { schema, fields = [] } = model?.modes[name] ?? {}
      expect(schema?.$schema).toBe('https://json-schema.org/draft/2020-12/schema')
      expect([specified.model, name, fields.toSorted()]).toEqual([specified.model, name, fieldsOf(specified, mode).toSorted()])
    }
  }
  expect(catalog.data.filter(model => model.default).map(({ id }) => id)).toEqual(['beta-2.0-fast'])
})

test('media limits of the alpha table', async () => {
  const { api } = await openAccount()
  const catalog: PublishedCatalog = JSON.parse((await api.get('/models')).text)
  const modes = catalog.data.find(({ id }) => id === 'alpha-h3')?.modes
  const mib = 1024 * 1024
  const picture = { width_min: 256, width_max: 5760, height_min: 256, height_max: 5760, ratio_min: 0.4, ratio_max: 2.5 }
  const lengths = { seconds_min: 2, seconds_max: 15, seconds_total_max: 15 }
  expect(modes?.['text-to-video']?.media_limits).toBeNull()
  expect(modes?.['media-to-video']?.media_limits).toEqual({
    image: { formats: ['jpeg', 'png', 'webp'], bytes_max: 30 * mib, ...picture },
    video: { formats: ['mp4', 'mov'], bytes_max: 50 * mib, ...picture, frame_rate_min: 23.976, frame_rate_max: 60, ...lengths },
    audio: { formats: ['mp3', 'wav'], bytes_max: 15 * mib, ...lengths },
    total_bytes_max: 256 * mib,
  })
})
