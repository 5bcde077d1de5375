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
type Create = (apiKey: string, url: string, prompts: string[]) => Promise<MadeVideo[]>

const languages: Record<string, Create> = { TypeScript: createByNpm, Python: createByPython }

/** What a line or a gateway does to a POST, OpenAI's clients send it again by themselves: one task, one submit and one charge each. */
export async function prove(report: Report): Promise<void> {
  const { cuts, kills } = faultCounts()
  const gateways = [await startGateway(), await startGateway()]
  const proxy = await startCuttingProxy(() => gateways.map(({ url }) => url))
  const workshop = { report, proxy, gateways }
  try {
    for (const [language, create] of Object.entries(languages)) {
      await proveFaults(workshop, language, create, cuts)
      await proveKills(workshop, language, create, kills)
    }
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

async function proveFaults({ report, proxy }: Workshop, language: string, create: Create, cuts: number): Promise<void> {
  const account = await openAccount({ credits: judgedCredits })
  const prompts = await instantPrompts(cuts)
  for (const [index, prompt] of prompts.entries()) proxy.fail(prompt, faultOf(index))
  const made = await create(account.apiKey, openAiUrl(proxy.url), prompts)
  await judgeVideos(report, `${language}: cuts and stalls`, account, made)
}

/** A gateway dies again and again, and is replaced; its requests are sent again to whichever is there. */
async function proveKills({ report, proxy, gateways }: Workshop, language: string, create: Create, kills: number): Promise<void> {
  const account = await openAccount({ credits: judgedCredits })
  const made: MadeVideo[] = []
  for (let killed = 0; killed < kills; killed++) {
    const creating = create(account.apiKey, openAiUrl(proxy.url), await instantPrompts(clientsAtOnce))
    await Bun.sleep(Math.random() * killEveryMs)
    const turn = killed % gateways.length
    const dead = gateways[turn]
    if (dead) process.kill(dead.pid, 'SIGKILL')
    gateways[turn] = await startGateway()
    made.push(...(await creating))
  }
  await judgeVideos(report, `${language}: kills`, account, made)
}

async function instantPrompts(length: number): Promise<string[]> {
  const prompts = Array.from({ length }, ownWords)
  for (const prompt of prompts) await simulator.behave(prompt, [{ name: 'instant' }])
  return prompts
}

async function createByNpm(apiKey: string, url: string, prompts: string[]): Promise<MadeVideo[]> {
  const client = new OpenAI({ apiKey, baseURL: url, maxRetries: retriesMax, timeout: clientTimeoutMs })
  const made: MadeVideo[] = []
  const queue = prompts.values()
  await Promise.all(
    Array.from({ length: clientsAtOnce }, async () => {
      for (const prompt of queue) {
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

async function createByPython(apiKey: string, url: string, prompts: string[]): Promise<MadeVideo[]> {
  const calls = {
    requests: prompts.map(request),
    max_retries: retriesMax,
    timeout: clientTimeoutMs / 1_000,
    clients_at_once: clientsAtOnce,
  }
  const made = await runOpenAiPython<Omit<MadeVideo, 'prompt'>[]>(calls, { apiKey, url })
  return made.map((each, index) => ({ ...each, prompt: prompts[index] ?? '' }))
}
