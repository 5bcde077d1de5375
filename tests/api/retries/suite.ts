import OpenAI from 'openai'
import { openAccount } from '../../support/client/account'
import { openAiUrl } from '../../support/client/openai'
import { ownWords } from '../../support/client/request'
import { type OwnService, startOwn } from '../../support/servers/own-services'
import { simulator } from '../../support/simulator'
import type { Report } from '../../support/suite/report'
import { until } from '../../support/until'
import { runOpenAiPython } from '../openai/python-client'
import { counts } from './counts'
import { type Fault, places, startCuttingProxy } from './cutting-proxy'

const clientsAtOnce = 3
const clientTimeoutMs = 8_000
const retriesMax = 5
const killEveryMs = 2_500
/** The clients don't wait for their videos, so that hundreds are made one after another. */
const madeMsMax = 900_000
const listEveryMs = 1_000

const request = (prompt: string) =>
  ({ model: 'alpha-h3-fast', prompt, seconds: '1', size: '854x480' }) as unknown as OpenAI.VideoCreateParams

type Made = { prompt: string; id?: string; error?: string }
type Workshop = { report: Report; proxy: Awaited<ReturnType<typeof startCuttingProxy>>; gateways: OwnService[] }

/** What a line or a gateway does to a POST, OpenAI's clients send it again by themselves: one task, one submit and one charge each. */
export async function prove(report: Report): Promise<void> {
  const { cuts, kills } = counts()
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
  const account = await openAccount({ credits: 1_000_000 })
  const made = await createAll(workshop, account.apiKey, cuts, index => faultOf(index))
  await judge(workshop, 'cuts and stalls', account, made)
}

async function provePython({ report, proxy }: Workshop, cuts: number): Promise<void> {
  const account = await openAccount({ credits: 1_000_000 })
  const prompts = Array.from({ length: cuts }, ownWords)
  for (const [index, prompt] of prompts.entries()) {
    await simulator.behave(prompt, [{ name: 'instant' }])
    proxy.fail(prompt, faultOf(index))
  }
  const calls = { requests: prompts.map(request), max_retries: retriesMax, timeout: clientTimeoutMs / 1_000 }
  const made = await runOpenAiPython<Omit<Made, 'prompt'>[]>(calls, { apiKey: account.apiKey, url: openAiUrl(proxy.url) })
  const all = made.map((each, index) => ({ ...each, prompt: prompts[index] ?? '' }))
  await judge({ report } as Workshop, 'Python', account, all)
}

/** A gateway dies again and again, and is replaced; its requests are sent again to whichever is there. */
async function proveKills(workshop: Workshop, kills: number): Promise<void> {
  const account = await openAccount({ credits: 1_000_000 })
  const { gateways } = workshop
  let killed = 0
  const made: Made[] = []
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
  await judge(workshop, 'kills', account, made)
}

async function createAll(
  { proxy }: Workshop,
  apiKey: string,
  length: number,
  fault: (index: number) => Fault | undefined,
): Promise<Made[]> {
  const client = new OpenAI({ apiKey, baseURL: openAiUrl(proxy.url), maxRetries: retriesMax, timeout: clientTimeoutMs })
  const made: Made[] = []
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

/** By the provider's journal, the list of the account's tasks and the credits that are gone. */
async function judge({ report }: Workshop, name: string, { api }: Awaited<ReturnType<typeof openAccount>>, made: Made[]): Promise<void> {
  report.figure(`retries.requests.${name.replaceAll(' ', '_')}`, made.length)
  const failed = made.filter(({ id }) => id === undefined)
  report.check(`${name}: every client has its video`, failed.length === 0, JSON.stringify(failed.slice(0, 3)))
  const ids = new Set(made.flatMap(({ id }) => id ?? []))
  report.check(`${name}: each has one of its own`, ids.size === made.length - failed.length, `${ids.size} of ${made.length}`)
  const tasks = await until(
    'all tasks to end',
    async () => {
      const all = await allTasks(api)
      if (all.every(({ status }) => status !== 'processing')) return all
      await Bun.sleep(listEveryMs)
    },
    madeMsMax,
  )
  report.check(`${name}: there is one task each`, tasks.length === made.length, `${tasks.length} tasks of ${made.length} requests`)
  const charged = tasks.reduce((sum, task) => sum + task.credits_used - task.credits_refunded, 0)
  const each = (tasks[0]?.credits_used ?? 0) * made.length
  report.check(`${name}: there is one charge each`, charged === each && 1_000_000 - (await api.credits()) === each, `${charged} of ${each}`)
  const submits = await Promise.all(made.map(async ({ prompt }) => (await simulator.submits(prompt)).length))
  report.check(
    `${name}: there is one submit each`,
    submits.every(count => count === 1),
    submits.join(),
  )
}

type Task = { id: string; status: string; credits_used: number; credits_refunded: number }

async function allTasks(api: Awaited<ReturnType<typeof openAccount>>['api']): Promise<Task[]> {
  const all: Task[] = []
  for (let cursor = ''; ; ) {
    const { text } = await api.get(`/tasks?limit=100${cursor && `&cursor=${cursor}`}`)
    const page = JSON.parse(text) as { data: Task[]; next_cursor: string | null }
    all.push(...page.data)
    if (page.next_cursor === null) return all
    cursor = page.next_cursor
  }
}
