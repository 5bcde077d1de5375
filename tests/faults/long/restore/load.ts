import { type Account, openAccount } from '../../../support/client/account'
import type { Answer, Body } from '../../../support/client/api'
import { ownWords, smallRequest } from '../../../support/client/request'
import { sampleMedia } from '../../../support/client/sample-media'
import { taskEnd } from '../../../support/client/stubborn-client'
import { simulator } from '../../../support/simulator'

export const creditsEach = 100_000
const accountsOfLoad = 6
const pauseMs = 3_000
const answerMsMax = 30_000
const againAfterMs = 500
const answeredMsMax = 600_000

/** One wish of one client: one prompt and one Idempotency-Key, however often it is asked. */
export type Order = {
  client: Client
  prompt: string
  idempotencyKey: string
  body: Record<string, unknown>
  askedAt: Date
  /** Each answer's task in the order of the answers; one id where all went well. */
  ids: string[]
  /** Refusals that name no task, and lost answers. */
  faults: string[]
}
export type Client = Account & { orders: Order[] }

/** A third is made at once, a third in seconds, a third in half a minute. */
const speeds = [[{ name: 'instant' }], [{ name: 'slow', delay_ms: 5_000 }], [{ name: 'slow', delay_ms: 30_000 }]]

async function newOrder(client: Client, number: number): Promise<Order> {
  const prompt = ownWords()
  await simulator.behave(prompt, speeds[number % speeds.length] ?? [])
  const picture = sampleMedia('lake-640x480.jpg')
  const body = smallRequest({ prompt, ...(number % 4 === 1 && { mode: 'image-to-video', image_url: picture, end_image_url: picture }) })
  return { client, prompt, idempotencyKey: crypto.randomUUID(), body, askedAt: new Date(), ids: [], faults: [] }
}

/** Asks once, and keeps what the answer says. */
async function ask(order: Order): Promise<string | undefined> {
  const { client, body, idempotencyKey } = order
  const answer = await client.api.generate(body, { idempotencyKey, timeoutMs: answerMsMax }).catch((error: Error) => error)
  const id = taskOf(answer)
  if (id) order.ids.push(id)
  else order.faults.push(answer instanceof Error ? answer.message : `${answer.status} ${answer.body.error?.code}`)
  return id
}

/** 429 and 503 are waited out, as the contract says. */
async function askUntilAnswered(order: Order): Promise<void> {
  const deadline = Date.now() + answeredMsMax
  while (!(await ask(order)) && Date.now() < deadline) await Bun.sleep(againAfterMs)
}

const taskOf = (answer: Answer | Error): string | undefined =>
  answer instanceof Error ? undefined : (answer.body.id ?? answer.body.error?.details?.task_id)

export type Load = { clients: Client[]; stop(): Promise<void> }

/** Clients that order all the time, and repeat with the same key what is not answered. */
export async function startLoad(): Promise<Load> {
  const clients: Client[] = await Promise.all(
    Array.from({ length: accountsOfLoad }, async () => ({ ...(await openAccount({ credits: creditsEach })), orders: [] })),
  )
  await addEndpoint(clients[0])
  let running = true
  const work = clients.map(async (client, index) => {
    await Bun.sleep((index * pauseMs) / clients.length)
    for (let number = index; running; number++) {
      const order = await newOrder(client, number)
      client.orders.push(order)
      await askUntilAnswered(order)
      await Bun.sleep(pauseMs)
    }
  })
  return {
    clients,
    async stop() {
      running = false
      await Promise.all(work)
    },
  }
}

/** One client is told of its tasks' ends, at a name that no DNS has an answer for: its deliveries are rows that wait. */
async function addEndpoint(client: Client | undefined): Promise<void> {
  const body = JSON.stringify({ url: `https://${crypto.randomUUID()}.com/hook` })
  const made = await client?.api.send('POST', '/webhook-endpoints', { headers: { 'content-type': 'application/json' }, body })
  if (made?.status !== 201) throw new Error(`no endpoint: ${made?.text}`)
}

/** As clients do that saw an answer and lost it: the same request with the same key. */
export async function repeatSince({ clients }: Load, since: Date): Promise<void> {
  await Promise.all(
    clients.map(async ({ orders }) => {
      for (const order of orders.filter(({ askedAt }) => askedAt >= since)) await askUntilAnswered(order)
    }),
  )
}

/** The end of each of an order's tasks, or the words in which it was waited for in vain. */
export const endsOf = ({ client, ids }: Order, timeoutMs: number): Promise<(Body | string)[]> =>
  Promise.all([...new Set(ids)].map(id => taskEnd(client.api, id, timeoutMs, 2_000).catch((error: Error) => error.message)))
