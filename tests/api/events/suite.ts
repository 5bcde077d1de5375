import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { openAccount } from '../../support/client/account'
import { createApi } from '../../support/client/api'
import { ownWords, smallRequest } from '../../support/client/request'
import { followTask, type TaskEvent } from '../../support/events/event-stream'
import { settings } from '../../support/settings'
import { simulator } from '../../support/simulator'
import { move, pidOf } from '../../support/stack'
import type { Report } from '../../support/suite/report'
import { until } from '../../support/until'

const accounts = 4
const tasksPerAccount = 3
const streams = 1_000
const mutes = 100
const reads = 200

type Followed = { id: string; apiKey: string; prompt: string }
/** A client that comes back, to another gateway each time, until it is told that there is no more. */
type Client = { task: Followed; events: TaskEvent[]; requests: number; over: boolean }

/** A thousand clients follow tasks over two gateways, one of which is killed and the other drained: each is told each event once. */
export async function prove(report: Report): Promise<void> {
  const tasks = (await Promise.all(Array.from({ length: accounts }, startTasks))).flat()
  const memoryBefore = await memoryOf('gateway')
  const aloneMs = await readMs(tasks[0])
  const clients = Array.from({ length: streams }, (_, index): Client => {
    return { task: tasks[index % tasks.length] as Followed, events: [], requests: 0, over: false }
  })
  const following = clients.map((client, index) => follow(client, index))
  const sockets = Array.from({ length: mutes }, (_, index) => openMute(tasks[index % tasks.length] as Followed))
  await until('every client to be told something', async () => clients.every(({ events }) => events.length >= 2))
  report.figure('events.streams', streams)
  report.figure('events.kibPerStream', ((await memoryOf('gateway')) - memoryBefore) / (streams / 2 + mutes))
  report.figure('events.readMs.alone', aloneMs)
  report.figure('events.readMs.beside', await readMs(tasks[0]))

  const before = clients.map(({ requests }) => requests)
  await move('gateway-2', 'kill')
  await until(
    'the clients of the killed gateway to resume',
    async () => clients.filter(({ requests }, index) => requests > (before[index] ?? 0)).length >= streams / 2,
  )
  await move('gateway-2', 'start')
  await move('gateway', 'stop')
  await move('gateway', 'start')
  await until('places in the queue and percent', async () =>
    clients.every(({ events }) => events.some(({ percent }) => percent !== undefined)),
  )

  const releasedAt = performance.now()
  for (const { prompt } of tasks)
    for (const { generation_id } of await simulator.submits(prompt)) await simulator.release(generation_id ?? '')
  await Promise.all(following)
  report.figure('events.endSeconds', (performance.now() - releasedAt) / 1_000)
  report.figure(
    'events.requests',
    clients.reduce((sum, { requests }) => sum + requests, 0),
  )
  for (const socket of sockets) socket.destroy()
  await judge(report, tasks, clients)
}

async function startTasks(): Promise<Followed[]> {
  const { api, apiKey } = await openAccount({ credits: 1_000_000 })
  return Promise.all(
    Array.from({ length: tasksPerAccount }, async () => {
      const prompt = ownWords()
      await simulator.behave(prompt, [{ name: 'tells_progress', places: 2, step: 20 }, { name: 'never_finishes' }])
      return { id: (await api.generate(smallRequest({ prompt }))).body.id, apiKey, prompt }
    }),
  )
}

async function follow(client: Client, index: number): Promise<void> {
  const bases = [settings.url, settings.secondUrl]
  while (!client.over) {
    client.requests += 1
    const base = bases[(index + client.requests) % 2]
    const stream = await followTask(client.task.apiKey, client.task.id, { base, after: client.events.at(-1)?.id }).catch(() => undefined)
    if (stream?.status === 204) client.over = true
    else if (stream?.status === 200) await collect(client, stream)
    if (!client.over) await Bun.sleep(200 + Math.random() * 800)
  }
}

/** What it is told as it comes, so that a connection that breaks loses nothing that was read. */
async function collect(client: Client, stream: Awaited<ReturnType<typeof followTask>>): Promise<void> {
  let taken = 0
  await until(
    'the end of a stream',
    async () => {
      const ended = stream.ended
      client.events.push(...stream.events.slice(taken))
      taken = stream.events.length
      return ended
    },
    900_000,
  )
}

/** Asks and never reads. */
function openMute({ id, apiKey }: Followed) {
  const { hostname, port, host, pathname } = new URL(settings.url)
  const socket = connect(Number(port), hostname).pause()
  socket.on('error', () => {})
  socket.write(
    `GET ${pathname}/tasks/${id}/events HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${apiKey}\r\nAccept: text/event-stream\r\n\r\n`,
  )
  return socket
}

async function judge(report: Report, tasks: Followed[], clients: Client[]): Promise<void> {
  const lists = new Map<string, string>()
  for (const { id, apiKey } of tasks)
    lists.set(id, JSON.stringify(JSON.parse((await createApi(apiKey).get(`/tasks/${id}/events`)).text).data))
  for (const { task, events } of clients) {
    const ids = events.map(({ id }) => id).join()
    report.check('each event comes once, in its order', ids === events.map((_, index) => index + 1).join(), `${task.id}: ${ids}`)
    report.check('a stream tells what the list tells', JSON.stringify(events) === lists.get(task.id), `${task.id}: ${ids}`)
  }
  const positions = clients.every(({ events }) => events.some(({ position }) => position !== undefined))
  report.check('places in the queue were told', positions)
}

/** The median of a GET, in milliseconds. */
async function readMs(task: Followed | undefined): Promise<number> {
  const api = createApi(task?.apiKey ?? '')
  const times: number[] = []
  for (let read = 0; read < reads; read++) {
    const startedAt = performance.now()
    await api.task(task?.id ?? '')
    times.push(performance.now() - startedAt)
  }
  return times.toSorted((a, b) => a - b)[reads / 2] ?? 0
}

/** Resident memory in KiB. */
async function memoryOf(component: 'gateway'): Promise<number> {
  const status = readFileSync(`/proc/${await pidOf(component)}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0)
}
