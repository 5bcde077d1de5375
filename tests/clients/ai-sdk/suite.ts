import { createFilmgate } from '@filmgate/ai-sdk-provider'
import { experimental_generateVideo as generateVideo } from 'ai'
import { type Fault, places, startCuttingProxy } from '../../api/retries/cutting-proxy'
import { type Account, openAccount } from '../../support/client/account'
import { ownWords } from '../../support/client/request'
import { type OwnService, startOwn } from '../../support/servers/own-services'
import { settings } from '../../support/settings'
import { simulator } from '../../support/simulator'
import { move } from '../../support/stack'
import { faultCounts } from '../../support/suite/fault-counts'
import { judgedCredits, judgeVideos, type MadeVideo } from '../../support/suite/judge-videos'
import type { Report } from '../../support/suite/report'
import { storageLine } from '../storage-line'
import { startReceiver } from './receiver'

globalThis.AI_SDK_LOG_WARNINGS = false

const cutsMax = 120
const hooks = 30
const atOnce = 3
const fallbackMs = 20_000
/** Nobody answers there: the callback is taken, and is never heard of. */
const unheardUrl = 'https://hooks.example.com/unheard'

type How = { poll?: { intervalMs: number }; webhook?: () => Promise<{ url: string; received: Promise<Call> }> }
type Call = { headers: Record<string, string>; body: string }

/** generateVideo of the unmodified AI SDK, by events, polls and webhooks: one task a call, whatever the line does to its POST. */
export async function prove(report: Report): Promise<void> {
  await proveCuts(report, Math.min(faultCounts().cuts, cutsMax))
  await proveWebhooks(report)
}

const flows: How[] = [
  {},
  { poll: { intervalMs: 500 } },
  { poll: { intervalMs: 500 }, webhook: async () => ({ url: unheardUrl, received: new Promise<Call>(() => {}) }) },
]

/** The SDK sends a POST again by itself where its line was cut: under one key. */
async function proveCuts(report: Report, count: number): Promise<void> {
  const account = await openAccount({ credits: judgedCredits })
  const gateway = new URL(settings.url).origin
  const proxy = await startCuttingProxy(() => [gateway])
  const faultOf = (index: number): Fault => ({
    place: places[index % places.length] ?? 'before the body',
    how: index % 24 === 23 ? 'stall' : 'cut',
  })
  try {
    const made = await makeAll(account, `${proxy.url}/api/v1`, count, index => {
      const how = flows[index % flows.length] ?? {}
      return { how, before: prompt => proxy.fail(prompt, faultOf(index)) }
    })
    await judgeVideos(report, 'ai-sdk, cut lines', account, made)
  } finally {
    await proxy.stop()
  }
}

/** Signed callbacks end the wait at once; forged ones are not believed, and those that don't come are not waited for. */
async function proveWebhooks(report: Report): Promise<void> {
  const receiver = await startReceiver()
  await move('webhooks', 'stop')
  let service: OwnService | undefined
  try {
    const own = { PORT: new URL(settings.serviceUrls.webhooks).port, FILMGATE_WEBHOOKS_PRIVATE_ORIGINS: receiver.origin }
    service = await startOwn('webhooks', own, '/readyz')
    const account = await openAccount({ credits: judgedCredits })
    const told = await makeAll(account, settings.url, hooks, () => ({ how: { webhook: () => receiver.expect('signed') } }))
    await judgeVideos(report, 'ai-sdk, webhooks', account, told)
    const slowest = Math.max(...told.map(({ ms }) => ms))
    report.figure('ai-sdk.webhooks.slowestMs', slowest)
    report.check('a webhook is not waited past', slowest < fallbackMs, `${slowest} ms`)
    const other = await openAccount({ credits: judgedCredits })
    const forged = await makeAll(other, settings.url, atOnce, () => ({ how: { webhook: () => receiver.expect('forged') } }))
    await judgeVideos(report, 'ai-sdk, forged webhooks', other, forged)
    const fastest = Math.min(...forged.map(({ ms }) => ms))
    report.check('a forged webhook is not believed', fastest >= fallbackMs, `${fastest} ms`)
  } finally {
    await service?.stop()
    await receiver.stop()
    await move('webhooks', 'start')
  }
}

type Step = { how: How; before?: (prompt: string) => void }

async function makeAll(account: Account, baseUrl: string, count: number, stepOf: (index: number) => Step) {
  const { line, target } = storageLine()
  // Videos come past the line that cuts downloads, which other parts prove.
  const direct = (url: string, init: RequestInit) => fetch(url.replace(line.url, target), init)
  const filmgate = createFilmgate({ apiKey: account.apiKey, baseUrl, fetch: direct, webhookFallbackMs: fallbackMs })
  const made: (MadeVideo & { ms: number })[] = []
  let next = 0
  const makeNext = async () => {
    for (let index = next++; index < count; index = next++) {
      const { how, before } = stepOf(index)
      const prompt = ownWords()
      await simulator.behave(prompt, [{ name: 'instant' }])
      before?.(prompt)
      made.push(await makeOne(filmgate, prompt, how))
    }
  }
  await Promise.all(Array.from({ length: atOnce }, makeNext))
  return made
}

async function makeOne(filmgate: ReturnType<typeof createFilmgate>, prompt: string, how: How) {
  const startedAt = performance.now()
  const outcome = await generateVideo({ ...how, model: filmgate('alpha-h3-fast'), prompt, duration: 1, resolution: '854x480' }).then(
    ({ providerMetadata }) => ({ id: (providerMetadata.filmgate as { videos: { taskId: string }[] }).videos[0]?.taskId ?? '' }),
    (error: unknown) => ({ error: String(error) }),
  )
  return { prompt, ...outcome, ms: performance.now() - startedAt }
}
