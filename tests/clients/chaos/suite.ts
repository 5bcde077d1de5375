import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { RequestOf } from '@filmgate/client'
import { openInstance } from '@filmgate/tools/stack/instance'
import { type Account, openAccount } from '../../support/client/account'
import { ownWords } from '../../support/client/request'
import { type OwnService, startOwn } from '../../support/servers/own-services'
import { instance, settings } from '../../support/settings'
import { simulator } from '../../support/simulator'
import { move } from '../../support/stack'
import { faultCounts } from '../../support/suite/fault-counts'
import { judgedCredits, judgeVideos } from '../../support/suite/judge-videos'
import type { Report } from '../../support/suite/report'
import { storageLine } from '../storage-line'
import { type Fault, type FaultyLine, startLine } from './line'
import { type Language, type Made, startWorker, type Worker } from './workers'

const languages: Language[] = ['TypeScript', 'Python']
const workersAtOnce = 3
const killEveryMs = 2_500
const redisHeldMs = 1_500
const crashes = 20
const hows: Fault['how'][] = ['cut', 'cut', 'stall', 'pause']

type Wanted = { id: string; request: RequestOf<'alpha-h3-fast'>; saveTo: string }
type Workshop = { report: Report; gateways: OwnService[] }

/** `generate()` beside what lines, gateways, Redis and crashes do to it: one task, one charge and one saved video a call. */
export async function prove(report: Report): Promise<void> {
  const { cuts, kills } = faultCounts()
  const gateways = [await startGateway(), await startGateway()]
  const workshop = { report, gateways }
  const { line: storage } = storageLine()
  try {
    for (const language of languages) {
      await proveCuts(workshop, language, cuts)
      await proveKills(workshop, language, kills)
      await proveCrashes(workshop, language, Math.min(crashes, kills))
    }
    report.figure('chaos.downloads.cut', storage.faults)
    report.check('downloads were cut too', storage.faults > 0)
  } finally {
    await Promise.all(gateways.map(each => each.stop()))
  }
}

const startGateway = (): Promise<OwnService> => startOwn('gateway', { PORT: '0', LOG_LEVEL: 'info' }, '/readyz')
const urlsOf = ({ gateways }: Workshop) => gateways.map(({ url }) => url)

/** Each call has a line of its own, whose fault is at another byte of a whole exchange: POST, progress and task, up and down. */
async function proveCuts(workshop: Workshop, language: Language, count: number): Promise<void> {
  const account = await openAccount({ credits: judgedCredits })
  const exchange = await measureExchange(workshop, language)
  workshop.report.figure(`chaos.${language}.exchangeBytes`, exchange.up + exchange.down)
  const faultOf = (index: number): Fault => {
    const byte = 1 + Math.floor((index * (exchange.up + exchange.down)) / count)
    const how = hows[index % hows.length] ?? 'cut'
    return byte <= exchange.up ? { direction: 'up', afterBytes: byte, how } : { direction: 'down', afterBytes: byte - exchange.up, how }
  }
  let faults = 0
  const wanted = await wish(language, count)
  const made = await withWorkers(language, account, wanted, async (worker, each, index) => {
    const line = await openLine(workshop, faultOf(index))
    const one = await worker.make({ ...each, url: `${line.url}/api/v1` })
    faults += line.faults
    await line.stop()
    return one
  })
  workshop.report.figure(`chaos.${language}.cuts`, faults)
  workshop.report.check(`${language}: nearly every call met its fault`, faults >= count * 0.9, `${faults} of ${count}`)
  await judge(workshop, `${language}, cuts and stalls`, account, wanted, made)
}

/** A line with this one fault. */
function openLine(workshop: Workshop, ...faults: Fault[]): Promise<FaultyLine> {
  return startLine(
    () => urlsOf(workshop),
    () => faults.shift(),
  )
}

async function measureExchange(workshop: Workshop, language: Language): Promise<FaultyLine['bytes']> {
  const { apiKey } = await openAccount({ credits: judgedCredits })
  const line = await openLine(workshop)
  const [each] = await wish(language, 1)
  const worker = await startWorker(language, apiKey)
  if (each) await worker.make({ ...each, url: `${line.url}/api/v1` })
  await worker.stop()
  await line.stop()
  return line.bytes
}

/** A gateway dies again and again and is replaced; every third time Redis stalls instead. */
async function proveKills(workshop: Workshop, language: Language, kills: number): Promise<void> {
  const account = await openAccount({ credits: judgedCredits })
  const { gateways } = workshop
  const wanted: Wanted[] = []
  const made: Made[] = []
  for (let killed = 0; killed < kills; ) {
    const some = await wish(language, workersAtOnce)
    const line = await openLine(workshop)
    const making = withWorkers(language, account, some, (worker, each) => worker.make({ ...each, url: `${line.url}/api/v1` }))
    await Bun.sleep(Math.random() * killEveryMs)
    const turn = killed++ % gateways.length
    const dead = gateways[turn]
    if (dead) process.kill(dead.pid, 'SIGKILL')
    if (killed % 3 === 0) {
      await move('redis', 'pause')
      await Bun.sleep(redisHeldMs)
      await move('redis', 'resume')
    }
    gateways[turn] = await startGateway()
    wanted.push(...some)
    made.push(...(await making))
    await line.stop()
  }
  workshop.report.figure(`chaos.${language}.kills`, kills)
  await judge(workshop, `${language}, killed gateways`, account, wanted, made)
}

/** The client's own process is killed at some moment of its call, and another takes the call up by its key. */
async function proveCrashes(workshop: Workshop, language: Language, count: number): Promise<void> {
  const account = await openAccount({ credits: judgedCredits })
  const wanted = await wish(language, count)
  const made: Made[] = []
  for (const each of wanted) {
    const job = { ...each, url: `${urlsOf(workshop)[0]}/api/v1` }
    const first = await startWorker(language, account.apiKey)
    const answer = first.make(job)
    await Bun.sleep(Math.random() * killEveryMs)
    await first.kill()
    await answer
    const second = await startWorker(language, account.apiKey)
    made.push(await second.make(job))
    await second.stop()
  }
  await judge(workshop, `${language}, crashes`, account, wanted, made)
}

async function judge({ report }: Workshop, name: string, account: Account, wanted: Wanted[], made: Made[]): Promise<void> {
  const promptOf = new Map(wanted.map(({ id, request }) => [id, request.prompt]))
  const videos = made.map(({ id, taskId, error }) => ({ prompt: promptOf.get(id) ?? '', id: taskId, error }))
  const tasks = await judgeVideos(report, name, account, videos)
  const urls = new Map(tasks.map(({ id, output }) => [id, output?.video_url]))
  const fileOf = new Map(wanted.map(({ id, saveTo }) => [id, saveTo]))
  const wrong: string[] = []
  for (const { id, taskId } of made) {
    const url = urls.get(taskId ?? '')
    const file = Bun.file(fileOf.get(id) ?? '')
    const same = url && (await file.exists()) && sha256(await file.bytes()) === sha256(await storedBytes(url))
    if (!same) wrong.push(taskId ?? id)
  }
  report.check(`${name}: every video is saved, byte for byte`, wrong.length === 0, wrong.slice(0, 5).join())
}

const sha256 = (bytes: Uint8Array): string => new Bun.CryptoHasher('sha256').update(bytes).digest('hex')

/** Past the line that cuts downloads. */
async function storedBytes(url: string): Promise<Uint8Array> {
  const { line, target } = storageLine()
  const response = await fetch(url.replace(line.url, target), { keepalive: false })
  if (!response.ok) throw new Error(`${url}: ${response.status}`)
  return response.bytes()
}

async function wish(language: Language, count: number): Promise<Wanted[]> {
  const folder = join(openInstance(instance, settings.portBase).dir, 'saved', language)
  mkdirSync(folder, { recursive: true })
  return Promise.all(
    Array.from({ length: count }, async () => {
      const prompt = ownWords()
      await simulator.behave(prompt, [{ name: 'instant' }])
      const id = crypto.randomUUID()
      return {
        id,
        request: { model: 'alpha-h3-fast', prompt, duration: 1, resolution: '480p' },
        saveTo: join(folder, `${id}.mp4`),
      } as const
    }),
  )
}

async function withWorkers(
  language: Language,
  { apiKey }: Account,
  wanted: Wanted[],
  make: (worker: Worker, each: Wanted, index: number) => Promise<Made>,
): Promise<Made[]> {
  const made: Made[] = []
  const queue = wanted.entries()
  await Promise.all(
    Array.from({ length: workersAtOnce }, async () => {
      const worker = await startWorker(language, apiKey)
      for (const [index, each] of queue) made.push(await make(worker, each, index))
      await worker.stop()
    }),
  )
  return made
}
