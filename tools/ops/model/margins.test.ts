import { expect, test } from 'bun:test'
import type { MarginRow } from '@filmgate/proto/operator/provider'
import type { Call } from '../operator-api'
import { render } from '../print/show'
import { modelMargins } from './margins'

const row = (changes: Partial<MarginRow> = {}): MarginRow => ({
  ...{
    model: 'alpha-h3',
    resolution: '768p',
    provider: 'minimax',
    mode: 'media-to-video',
    audio: null,
    seconds: 4,
    images: 9,
    video_seconds: 0,
  },
  ...{ price_micro_usd: 340_000, cost_micro_usd: 480_000, margin_micro_usd: -140_000, margin_percent: -41.2, basis: 'listed' },
  ...{ reason: 'a trial', source: 'page', as_of: '2026-11-25', cases: 3, cases_unknown: 0 },
  ...changes,
})
const unknown = row({
  provider: 'fal',
  cost_micro_usd: null,
  margin_micro_usd: null,
  margin_percent: null,
  basis: 'unknown',
  reason: 'no page',
  cases_unknown: 3,
})
const asking =
  (...data: MarginRow[]): Call =>
  async (service, method, path) => {
    expect([service, method, path]).toEqual(['dispatcher', 'GET', '/margins'])
    return { credit_micro_usd: 10_000, data }
  }

test('a person gets a table without a blank, in which what nobody knows and what is below its cost by name say so', async () => {
  const { shown, negative } = await modelMargins(asking(row(), unknown), {})
  expect(negative).toBe(false)
  expect(
    render(shown)
      .split('\n')
      .map(line => line.split(/ {2,}/)),
  ).toEqual([
    ['model', 'resolution', 'provider', 'least_at', 'price_usd', 'cost_usd', 'margin_usd', 'margin_percent', 'basis', 'unknown_cases'],
    ['alpha-h3', '768p', 'minimax', 'media-to-video 4 s, 9 images', '0.34', '0.48', '-0.14', '-41.2', 'below by name', '0 of 3'],
    ['alpha-h3', '768p', 'fal', 'media-to-video 4 s, 9 images', '0.34', 'unknown', 'unknown', 'unknown', 'unknown', '3 of 3'],
  ])
})

test('below cost without a name is told, of the models and providers that are asked for', async () => {
  const rows = [row({ reason: null }), row({ model: 'beta', provider: 'fal', margin_micro_usd: 1 })]
  const negative = async (options: object) => (await modelMargins(asking(...rows), options)).negative
  expect([await negative({}), await negative({ model: 'beta' }), await negative({ provider: 'fal' })]).toEqual([true, false, false])
  const { shown } = await modelMargins(asking(...rows), { json: true, model: 'beta' })
  expect(shown).toMatchObject({ credit_micro_usd: 10_000, data: [{ model: 'beta' }] })
})

test('a spreadsheet gets all of it, in dollars', async () => {
  const { shown } = await modelMargins(asking(row(), unknown), { csv: true })
  expect(String(shown).trimEnd().split('\r\n')).toEqual([
    'model,resolution,provider,mode,audio,seconds,images,video_seconds,price_usd,cost_usd,margin_usd,margin_percent,basis,source,as_of,cases,cases_unknown,reason',
    'alpha-h3,768p,minimax,media-to-video,,4,9,0,0.34,0.48,-0.14,-41.2,listed,page,2026-11-25,3,0,a trial',
    'alpha-h3,768p,fal,media-to-video,,4,9,0,0.34,unknown,unknown,unknown,unknown,page,2026-11-25,3,3,no page',
  ])
})
