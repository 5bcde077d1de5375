import { afterAll, expect, test } from 'bun:test'
import { startTestConsole } from '../testing/console-and-gateway'
import models from '../testing/models.json'
import { factsOf, priceText } from './describe-model'
import { filterModels, type ModelFilter } from './filter-models'
import type { Model } from './model'

const { ask, addMember, stop } = await startTestConsole({})
afterAll(stop)
await addMember('a1', 'vera', 'viewer')

const all = models.data as unknown as Model[]
const named = (id: string) => all.find(model => model.id === id) as Model
const none: ModelFilter = { mode: '', seconds: '', sound: false, references: false }
const shown = (html: string) => [...html.matchAll(/<h2>([^<]+)<\/h2>/g)].map(([, id]) => id)

test('what a model takes, makes and costs is its card’s', () => {
  expect(factsOf(named('alpha-h3'))).toEqual([
    ['Length', '4–15 s'],
    ['Resolution', '768p, 2k'],
    ['Sound', 'not on request'],
    ['Also takes', 'last frame, references'],
  ])
  expect(factsOf(named('delta-2.6'))[0]).toEqual(['Length', '5, 10 s'])
  expect(priceText(named('delta-2.6'))).toBe('26 credits for 5 s at 720p')
  expect(priceText({ ...named('delta-2.6'), pricing: undefined })).toBeUndefined()
})

test.each<[Partial<ModelFilter>, string[]]>([
  [{}, ['alpha-h3', 'beta-2.0-fast', 'delta-2.6', 'kappa-02']],
  [{ mode: 'media-to-video' }, ['alpha-h3', 'beta-2.0-fast']],
  [{ seconds: '10' }, ['alpha-h3', 'beta-2.0-fast', 'delta-2.6', 'kappa-02']],
  [{ seconds: '12' }, ['alpha-h3', 'beta-2.0-fast']],
  [{ seconds: '16' }, []],
  [{ sound: true }, ['beta-2.0-fast', 'delta-2.6']],
  [{ sound: true, seconds: '12' }, ['beta-2.0-fast']],
])('%j finds %j', (filter, ids) => {
  expect(filterModels(all, { ...none, ...filter }).map(({ id }) => id)).toEqual(ids)
})

test('the cheapest comes first, those not available last; a link for each mode; the chosen are checked', async () => {
  const html = await (await ask('vera', '/accounts/a1/models?model=delta-2.6')).text()
  expect(shown(html)).toEqual(['delta-2.6', 'alpha-h3', 'beta-2.0-fast', 'kappa-02'])
  expect(html).toMatch(/playground\?model=alpha-h3&(amp;)?mode=media-to-video/)
  expect(html).toContain('value="delta-2.6" checked')
  expect(html).not.toContain('value="alpha-h3" checked')
  expect(html).toContain('Not available now.')
})

test('a filter of any kind is read or left out', async () => {
  expect(shown(await (await ask('vera', '/accounts/a1/models?mode=media-to-video&seconds=12')).text())).toHaveLength(2)
  for (const query of ['mode=%00', 'seconds=-1', 'seconds=1e9', 'sound=maybe', `mode=${'x'.repeat(5_000)}`])
    expect(shown(await (await ask('vera', `/accounts/a1/models?${query}`)).text())).toHaveLength(4)
  expect(await (await ask('vera', '/accounts/a1/models?seconds=9999')).text()).toContain('No model makes such a video.')
})
