import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openAccount } from '../support/client/account'
import { settings } from '../support/settings'
import { simulator } from '../support/simulator'
import type { Report } from '../support/suite/report'
import { until } from '../support/until'
import { createEstimator } from './models/estimates'
import type { PublishedCatalog } from './models/published-models'

const reachMsMax = 1_000

const card = `model: suite-1
family: suite
default_mode: text-to-video
fields:
  duration: { one_of: [3, 7], default: 3 }
  resolution: { one_of: [480p, 720p], default: 480p }
  aspect_ratio: { one_of: ['16:9', '1:1'], default: '16:9' }
modes:
  text-to-video: {}
rules:
  - name: seven_at_720p
    when: { resolution: 720p }
    require: { duration: 7 }
list_price:
  currency: USD
  per: second
  output: { 480p: 0.01, 720p: 0.02 }
`

/** A card that is a file and nothing else is accepted, priced, listed, documented and made; a price that changes reaches the gateway within a second. */
export async function proveNewCard(report: Report): Promise<void> {
  const folder = process.env.FILMGATE_CARDS_DIR ?? ''
  const prices = process.env.FILMGATE_PRICES_FILE ?? ''
  const { api, apiKey } = await openAccount({ credits: 10_000 })
  const estimate = createEstimator(apiKey)
  const prompt = `suite ${crypto.randomUUID()}`
  const body = { model: 'suite-1', prompt }
  const price = async () => (await estimate(JSON.stringify(body))).estimate
  report.check('before its card is there the model is unknown', (await estimate(JSON.stringify(body))).error?.code === 'unknown_model')

  writeFileSync(join(folder, 'suite-1.yaml'), card)
  const cardMs = await timed('the new card', price)
  report.check('a new card is in force within a second', cardMs <= reachMsMax, `${cardMs} ms`)
  // 3 s × 0.01 USD × 100 credits × margin 1.2
  report.check('it is priced', (await price())?.credits === 4, JSON.stringify(await price()))
  const refused = await estimate(JSON.stringify({ ...body, resolution: '720p' }))
  report.check(
    'its rule is kept',
    refused.error?.details?.issues?.[0]?.message === 'duration must be 7 when resolution is 720p',
    refused.text,
  )
  const listed: PublishedCatalog = JSON.parse((await api.get('/models')).text)
  report.check(
    'it is listed',
    listed.data.some(model => model.id === 'suite-1' && model.family === 'suite'),
  )
  const origin = new URL(settings.url).origin
  report.check('it is in the API description', (await (await fetch(`${origin}/openapi.json`)).text()).includes('"suite-1.text-to-video"'))
  report.check(
    'it has a page of the reference',
    (await (await fetch(`${origin}/docs/models/suite-1`)).text()).includes('example=suite-1.text-to-video"'),
  )
  const posted = await api.generate(body)
  const task = posted.status === 202 ? await api.taskOnce(posted.body.id) : undefined
  report.check('it is made', task?.status === 'completed' && task.credits_used === 4, posted.text)
  report.check('the simulator was asked once', (await simulator.submits(prompt)).length === 1)

  writeFileSync(prices, "version: 'suite-2'\nmargin: 2.4\n")
  const priceMs = await timed('the new price', async () => (await price())?.price_version.startsWith('suite-2-'))
  report.check('a new price is in force within a second', priceMs <= reachMsMax, `${priceMs} ms`)
  report.check('the price is the new one', (await price())?.credits === 8)
  const replay = await api.task(posted.body.id)
  report.check('what was charged before stays', replay.body.credits_used === 4)

  writeFileSync(join(folder, 'suite-1.yaml'), card.replace('default: 3', 'default: 4'))
  await Bun.sleep(reachMsMax)
  report.check('a card with a slip leaves the one before in force', (await price())?.credits === 8)
  rmSync(join(folder, 'suite-1.yaml'))
  writeFileSync(prices, "version: 'suite-1'\n")
  await until('the model is gone', async () => (await estimate(JSON.stringify(body))).error?.code === 'unknown_model')
  report.figure('new-card.card_ms', cardMs)
  report.figure('new-card.price_ms', priceMs)
}

async function timed(what: string, look: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await until(what, async () => Boolean(await look()))
  return performance.now() - startedAt
}
