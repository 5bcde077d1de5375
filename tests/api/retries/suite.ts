import OpenAI from 'openai'
import { openAccount } from '../../support/client/account'
import { openAiUrl } from '../../support/client/openai'
import { ownWords } from '../../support/client/request'
import { type OwnService, startOwn } from '../../support/servers/own-services'
import { simulator } from '../../support/simulator'
import { faultCounts } from '../../support/suite/fault-counts'
import { judgedCredits, judgeVideos, type MadeVideo } from '../../support/suite/judge-videos'
import type { Report } from '../../support/suite/report'
import { runOpenAiPython } from '../openai/python-client'
import { type Fault, places, startCuttingProxy } from './cutting-proxy'

const clientsAtOnce = 3
const clientTimeoutMs = 8_000
const retriesMax = 5
const killEveryMs = 2_500

const request = (prompt: string) =>
  ({ model: 'alpha-h3-fast', prompt, seconds: '1', size: '854x480' }) as unknown as OpenAI.VideoCreateParams

type Workshop = { report: Report; proxy: Awaited<ReturnType<typeof startCuttingProxy>>; gateways: OwnService[] }

/** What a line or a gateway does to a POST, OpenAI's clients send it again by themselves: one task, one submit and one charge each. */
export async function prove(report: Report): Promise<void> {
  const { cuts, kills } = faultCounts()
  const gateways = [await startGateway(), await startGateway()]
  const proxy = await startCuttingProxy(() => gateways.map(({ url }) => url))
  const workshop = { report, proxy, gateways }
  try {
    await proveFaults(workshop, cuts)
    await provePython(workshop, Math.min(cuts, 20))
    await proveKills(workshop, kills)
  } finally {
    await proxy.stop()
    await Promise.all(gateways.map(each => each.stop()))
  }
}

const startGateway = (): Promise<OwnService> => startOwn('gateway', { PORT: '0', LOG_LEVEL: 'info' }, '/readyz')

const faultOf = (index: number): Fault => ({
  place: places[index % places.length] ?? 'before the body',
  how: Math.floor(index / places.length) % 4 === 0 ? 'stall' : 'cut',
})

async function proveFaults(workshop: Workshop, cuts: number): Promise<void> {
  const account = await openAccount({ credits: judgedCredits })
  const made = await createAll(workshop, account.apiKey, cuts, index => faultOf(index))
  await judgeVideos(workshop.report, 'cuts and stalls', account, made)
}

async function provePython({ report, proxy }: Workshop, cuts: number): Promise<void> {
  const account = await openAccount({ credits: judgedCredits })
  const prompts = Array.from({ length: cuts }, ownWords)
  for (const [index, prompt] of prompts.entries()) {
    await simulator.behave(prompt, [{ name: 'instant' }])
    proxy.fail(prompt, faultOf(index))
  }
  const calls = { requests: prompts.map(request), max_retries: retriesMax, timeout: clientTimeoutMs / 1_000 }
  const made = await runOpenAiPython<Omit<MadeVideo, 'prompt'>[]>(calls, { apiKey: account.apiKey, url: openAiUrl(proxy.url) })
  const all = made.map((each, index) => ({ ...each, prompt: prompts[index] ?? '' }))
  await judgeVideos(report, 'Python', account, all)
}

/** A gateway dies again and again, and is replaced; its requests are sent again to whichever is there. */
async function proveKills(workshop: Workshop, kills: number): Promise<void> {
  const account = await openAccount({ credits: judgedCredits })
  const { gateways } = workshop
  let killed = 0
  const made: MadeVideo[] = []
  while (killed < kills) {
    const creating = createAll(workshop, account.apiKey, clientsAtOnce, () => undefined)
    await Bun.sleep(Math.random() * killEveryMs)
    const turn = killed++ % gateways.length
    const dead = gateways[turn]
    if (dead) process.kill(dead.pid, 'SIGKILL')
    gateways[turn] = await startGateway()
    made.push(...(await creating))
  }
  workshop.report.figure('retries.kills', killed)
  await judgeVideos(workshop.report, 'kills', account, made)
}

async function createAll(
  { proxy }: Workshop,
  apiKey: string,
  length: number,
  fault: (index: number) => Fault | undefined,
): Promise<MadeVideo[]> {
  const client = new OpenAI({ apiKey, baseURL: openAiUrl(proxy.url), maxRetries: retriesMax, timeout: clientTimeoutMs })
  const made: MadeVideo[] = []
  const queue = Array.from({ length }, (_, index) => ({ prompt: ownWords(), fault: fault(index) })).values()
  await Promise.all(
    Array.from({ length: clientsAtOnce }, async () => {
      for (const { prompt, fault } of queue) {
        await simulator.behave(prompt, [{ name: 'instant' }])
        if (fault) proxy.fail(prompt, fault)
        const answer = await client.videos.create(request(prompt)).then(
          ({ id }) => ({ id }),
          error => ({ error: String(error) }),
        )
        made.push({ prompt, ...answer })
      }
    }),
  )
  return made
}
