import { afterAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CardError } from '../card/card-error'
import { catalogFiles } from '../config'
import { loadCatalog } from './load-catalog'

const root = mkdtempSync(join(tmpdir(), 'filmgate-cards-'))
afterAll(() => rmSync(root, { recursive: true }))

const none = { extraCardsDir: undefined, pricesFile: undefined }
const card = `model: test-1
family: test
default_mode: text-to-video
fields:
  duration: { min: 4, max: 15, default: 5 }
  resolution: { one_of: [480p, 1080p], default: 480p }
modes:
  text-to-video: {}
  image-to-video:
    fields:
      image_url: { required: true }
      end_image_url: {}
    rules:
      - name: end_frame
        when: { end_image_url: { present: true } }
        require: { resolution: 1080p }
  media-to-video:
    references_min: 1
    fields:
      reference_video_urls: { items_max: 2 }
      reference_video_durations: { min: 2, max: 10, sum_max: 15 }
list_price:
  currency: USD
  per: second
  output: { 480p: 0.01, 1080p: 0.02 }
  input_video: { 480p: 0.01, 1080p: 0.02 }
`

/** The faults of the catalog with this card beside the service's own. */
function faultsOf(text: string, prices?: string): string[] {
  const dir = mkdtempSync(join(root, 'set-'))
  const cards = mkdtempSync(join(dir, 'cards-'))
  writeFileSync(join(cards, 'test-1.yaml'), text)
  const pricesFile = prices === undefined ? undefined : join(dir, 'prices.yaml')
  if (pricesFile && prices !== undefined) writeFileSync(pricesFile, prices)
  try {
    loadCatalog(catalogFiles({ extraCardsDir: cards, pricesFile }))
    return []
  } catch (error) {
    if (!(error instanceof CardError)) throw error
    return error.faults.map(fault => fault.slice(fault.lastIndexOf('/') + 1))
  }
}

test('the service’s own cards and prices are valid', () => {
  const catalog = loadCatalog(catalogFiles(none))
  expect(catalog.cards).toHaveLength(29)
  expect(catalog.defaultModel).toBe('beta-2.0-fast')
  expect(faultsOf(card)).toEqual([])
})

test('a card’s capabilities follow from its fields', () => {
  const { cards } = loadCatalog(catalogFiles(none))
  for (const { model, capabilities, modes } of cards) {
    const own = new Set(modes.flatMap(({ fields }) => fields.flatMap(({ capability }) => capability || [])))
    expect([model, capabilities.toSorted()]).toEqual([model, [...own].toSorted()])
  }
  expect(cards.find(({ model }) => model === 'beta-2.0')?.capabilities).toEqual([
    ...['end_frame', 'reference_images', 'reference_videos', 'reference_audio'],
    ...['generated_audio', 'seed', 'watermark'],
  ])
})

const faultyCards: [name: string, from: string, to: string, fault: string][] = [
  ['a property that cards do not have', 'family: test', 'family: test\nowner: me', 'test-1.yaml owner: unexpected property'],
  ['a missing property', 'family: test\n', '', 'test-1.yaml family: expected required property'],
  [
    'an unknown field',
    '  duration:',
    '  durration: {}\n  duration:',
    'fields.durration: is not a field of the contract; did you mean duration',
  ],
  ['a default outside its range', 'default: 5', 'default: 3', 'fields.duration.default: 3 is not a legal value'],
  ['a default that is not a choice', 'default: 480p', 'default: 720p', 'fields.resolution.default: "720p" is not a legal value'],
  ['a range upside down', 'min: 4, max: 15', 'min: 16, max: 15', 'fields.duration.min: 16 is above max 15'],
  [
    'a property of another kind',
    'min: 4, max: 15',
    'min: 4, max: 15, items_max: 3',
    'fields.duration.items_max: does not apply to a field of kind INTEGER',
  ],
  [
    'a duration without a default',
    ', default: 5',
    '',
    'fields.duration: needs a default or follows, or must be required: the price depends on it',
  ],
  ['an unknown default mode', 'default_mode: text-to-video', 'default_mode: video', 'default_mode: video is not one of the card’s modes'],
  [
    'an unknown mode',
    '  text-to-video: {}',
    '  text-to-video: {}\n  audio-to-video: {}',
    'modes.audio-to-video: must be one of text-to-video, image-to-video, media-to-video',
  ],
  [
    'a rule on a field the mode lacks',
    'when: { end_image_url:',
    'when: { end_imageurl:',
    'rules.end_frame.when.end_imageurl: this mode has no field end_imageurl; did you mean end_image_url',
  ],
  [
    'a rule with an illegal value',
    'require: { resolution: 1080p }',
    'require: { resolution: 4k }',
    'rules.end_frame.require.resolution: "4k" is not a legal value of resolution',
  ],
  [
    'a rule without a requirement',
    '        require: { resolution: 1080p }\n',
    '',
    'rules.end_frame: must have exactly one of require, require_any and total',
  ],
  [
    'presence of a field with a default',
    '{ end_image_url: { present: true } }',
    '{ duration: { present: true } }',
    'rules.end_frame.when.duration: present has no effect on a field with a default',
  ],
  [
    'lengths of files that the mode does not accept',
    '      reference_video_urls: { items_max: 2 }\n',
    '',
    'reference_video_durations: declares the lengths of reference_video_urls, which this mode does not have',
  ],
  [
    'references of a mode without lists',
    '  text-to-video: {}',
    '  text-to-video: { references_min: 1 }',
    'modes.text-to-video.references_min: this mode has no list of references',
  ],
  ['a resolution without a price', ', 1080p: 0.02', '', 'list_price.output.1080p: no price for 4 s without audio'],
  ['reference video without a price', '  input_video: { 480p: 0.01, 1080p: 0.02 }\n', '', 'list_price.input_video: is missing'],
  ['a price for no resolution', '1080p: 0.02', '1080p: 0.02, 4k: 1', 'list_price.output: 4k is not a resolution of test-1'],
  ['a currency the book does not know', 'currency: USD', 'currency: EUR', 'list_price.currency: the price book has no usd_per.EUR'],
  ['a model that has a card already', 'model: test-1', 'model: alpha-h3', 'alpha-h3: more than one card has this model'],
  ['a second default model', 'family: test', 'family: test\ndefault_model: true', 'default_model: exactly one card must have it, but 2 do'],
]
test.each(faultyCards)('%s is reported with its place', (_, from, to, fault) => {
  expect(card).toContain(from)
  const faults = faultsOf(card.replace(from, to)).join('\n')
  expect(faults.replaceAll("'", '’')).toContain(fault)
})

test('all faults of a card are reported at once', () => {
  const faults = faultsOf(
    card.replace('default: 5', 'default: 99').replace('default: 480p', 'default: 9p').replace('currency: USD', 'currency: EUR'),
  )
  expect(faults.length).toBeGreaterThanOrEqual(3)
})

test('a file that is not YAML is reported', () => {
  expect(faultsOf('model: [').join()).toStartWith('test-1.yaml ')
})

test('a price file is checked against the cards', () => {
  const price = '{ currency: USD, per: second, output: { 480p: 1 } }'
  expect(faultsOf(card, `version: x\nmodels: { nothing: ${price} }`).join()).toContain('models.nothing: there is no card of this model')
  expect(faultsOf(card, `version: x\nmodels: { test-1: ${price} }`).join()).toContain('no price for 4 s')
  const forgetful = '{ currency: CNY, per: second, output: { 768p: 0.45, 2k: 0.7 } }'
  expect(faultsOf(card, `version: x\nmodels: { alpha-h3: ${forgetful} }`).join()).toContain('list_price.input_video: is missing')
  const following = '{ currency: CNY, per: second, output: { 720p: 0.5, 1080p: 0.7 } }'
  expect(faultsOf(card, `version: x\nmodels: { delta-motion-control: ${following} }`)).toEqual([])
  expect(faultsOf(card, 'margin: 2').join()).toContain('prices.yaml version: expected required property')
})

test('the price version changes with any price, and the card version does not', () => {
  const before = loadCatalog(catalogFiles(none))
  const file = join(root, 'margin.yaml')
  const version = before.priceVersion.slice(0, before.priceVersion.lastIndexOf('-'))
  writeFileSync(file, `version: '${version}'\nmargin: 1.201\n`)
  const after = loadCatalog(catalogFiles({ ...none, pricesFile: file }))
  expect(after.priceVersion).not.toBe(before.priceVersion)
  expect(after.cards.map(each => each.cardVersion)).toEqual(before.cards.map(each => each.cardVersion))
})

test('every price contains the credit value and the below_cost exceptions', () => {
  const file = join(root, 'worth.yaml')
  writeFileSync(
    file,
    'version: w\ncredit_usd: 0.02\nbelow_cost: { alpha-h3: [{ mode: media-to-video, resolution: 2k, reason: a trial }] }\n',
  )
  const [own, changed] = [undefined, file].map(pricesFile => loadCatalog(catalogFiles({ ...none, pricesFile })).cards)
  const pricingOf = (cards: typeof own, model: string) => cards?.find(one => one.model === model)?.pricing
  expect(new Set(own?.map(({ pricing }) => pricing?.creditMicroUsd))).toEqual(new Set([10_000n]))
  expect(pricingOf(changed, 'gamma-3.1-fast')?.creditMicroUsd).toBe(20_000n)
  expect(pricingOf(changed, 'gamma-3.1-fast')?.rows[0]?.microCredits).toBe(
    (pricingOf(own, 'gamma-3.1-fast')?.rows[0]?.microCredits ?? 0n) / 2n,
  )
  expect(pricingOf(changed, 'alpha-h3')?.belowCost).toMatchObject([{ mode: 'media-to-video', resolution: '2k', reason: 'a trial' }])
})

test('a below_cost exception that matches no card is reported', () => {
  const faults = (belowCost: string) => faultsOf(card, `version: x\nbelow_cost: { ${belowCost} }`).join()
  expect(faults('nothing: [{ reason: r }]')).toContain('below_cost.nothing: there is no card of this model')
  expect(faults('test-1: [{ resolution: 4k, reason: r }]')).toContain('below_cost.test-1: 4k is not a resolution there')
  expect(faults('test-1: [{ mode: audio-to-video, reason: r }]')).toContain('below_cost.test-1: audio-to-video is not a mode of the card')
  expect(faults('test-1: [{ resolution: 480p }]')).toContain('reason')
})
