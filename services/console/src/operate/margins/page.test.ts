import { afterAll, beforeAll, beforeEach, expect, setDefaultTimeout, test } from 'bun:test'
import { type OperateSystem, startOperateSystem } from '../testing/operate-system'

setDefaultTimeout(60_000)

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
/** Every cell but a row's first, each behind the name of its column. */
const shown = async (...data: object[]) => {
  if (data.length > 0) system.services.answers.set('dispatcher GET /margins', { credit_micro_usd: 10_000, data })
  const text = await (await system.ask('/operate/margins', 'read')).text()
  return [...text.matchAll(/<td[^>]*>([\s\S]*?)<\/td>/g)].map(([, cell = '']) => cell.replace(/<[^>]+>/g, '').trim())
}

test('price, cost and margin are shown as the dispatcher has them, with where the cost is from', async () => {
  expect(await shown(row)).toEqual([
    ...['Resolution480p', 'Providerxai', 'Casemedia-to-video, 6 s, 7 images', 'Price$0.58', 'Cost$0.55', 'Margin$0.03'],
    ...['Of the price5.2 %', 'Cost fromsecond-hand, 2026-11-06'],
  ])
})

test('what nobody knows says why, and what is below its cost says by which name', async () => {
  const unknown = { ...row, cost_micro_usd: null, margin_micro_usd: null, margin_percent: null, basis: 'unknown', reason: 'no <page>' }
  const cells = await shown(unknown, { ...row, margin_micro_usd: -10_000, reason: 'a trial' }, { ...row, margin_micro_usd: -10_000 })
  expect(cells.slice(4, 7)).toEqual(['Costnot known', 'Marginnot known', 'Of the pricenot known'])
  expect([cells[7], cells[15], cells[23]]).toEqual([
    'Cost fromunknown no &lt;page&gt; (2026-11-06)',
    'Cost fromsecond-hand, 2026-11-06. Below its cost by name: a trial',
    'Cost fromrefused below its cost: second-hand, 2026-11-06',
  ])
})

test('a dispatcher that gives no answer is said to give none', async () => {
  system.services.answers.set('dispatcher GET /margins', 'silent')
  expect(await (await system.ask('/operate/margins', 'read')).text()).toContain('class="notice wrong"')
})
