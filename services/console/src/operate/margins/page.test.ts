import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { type OperateSystem, startOperateSystem } from '../testing/operate-system'

let system: OperateSystem
beforeAll(async () => {
  system = await startOperateSystem()
})
afterAll(() => system?.stop())
beforeEach(() => system.services.reset())

const row = {
  ...{
    model: 'epsilon-1.5',
    resolution: '480p',
    provider: 'xai',
    mode: 'media-to-video',
    audio: null,
    seconds: 6,
    images: 7,
    video_seconds: 0,
  },
  ...{ price_micro_usd: 580_000, cost_micro_usd: 550_000, margin_micro_usd: 30_000, margin_percent: 5.2, basis: 'listed', reason: null },
  ...{ source: 'second-hand', as_of: '2026-11-06', cases: 3, cases_unknown: 0 },
}
/** Every cell except a row's first, each with its column name. */
const shown = async (...data: object[]) => {
  if (data.length > 0) system.services.answers.set('dispatcher GET /margins', { credit_micro_usd: 10_000, data })
  const text = await (await system.ask('/operate/margins', 'read')).text()
  return [...text.matchAll(/<td[^>]*>([\s\S]*?)<\/td>/g)].map(([, cell = '']) => cell.replace(/<[^>]+>/g, '').trim())
}

test('price, cost and margin are shown as the dispatcher has them, with where the cost is from', async () => {
  expect(await shown(row)).toEqual([
    ...['Resolution480p', 'Providerxai', 'Casemedia-to-video, 6 s, 7 images', 'Price$0.58', 'Cost$0.55', 'Margin$0.03'],
    ...['Share of price5.2 %', 'Source of costsecond-hand, 2026-11-06'],
  ])
})

test('what nobody knows says why, and what is below its cost says by which name', async () => {
  const unknown = { ...row, cost_micro_usd: null, margin_micro_usd: null, margin_percent: null, basis: 'unknown', reason: 'no <page>' }
  const cells = await shown(unknown, { ...row, margin_micro_usd: -10_000, reason: 'a trial' }, { ...row, margin_micro_usd: -10_000 })
  expect(cells.slice(4, 7)).toEqual(['Costnot known', 'Marginnot known', 'Share of pricenot known'])
  expect([cells[7], cells[15], cells[23]]).toEqual([
    'Source of costunknown no &lt;page&gt; (2026-11-06)',
    'Source of costsecond-hand, 2026-11-06. Below its cost by name: a trial',
    'Source of costrefused below its cost: second-hand, 2026-11-06',
  ])
})

test('a dispatcher that does not respond is said to give none', async () => {
  system.services.answers.set('dispatcher GET /margins', 'silent')
  expect(await (await system.ask('/operate/margins', 'read')).text()).toContain('class="notice wrong"')
})

test('an answer in another form is said to be one, with what does not fit', async () => {
  const { provider: _, ...incomplete } = row
  system.services.answers.set('dispatcher GET /margins', { credit_micro_usd: 10_000, data: [row, incomplete] })
  expect(await (await system.ask('/operate/margins', 'read')).text()).toContain(
    'The dispatcher answered in another form (data.1.provider: Expected required property).',
  )
})
