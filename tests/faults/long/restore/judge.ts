import type { Body } from '../../../support/client/api'
import { askOperator, type LedgerTask } from '../../../support/operator/operator'
import { simulator } from '../../../support/simulator'
import { type Client, creditsEach, endsOf, type Order } from './load'

type Books = { account: { available: number; unfinished: number } }

/** All that is wrong with what clients have, by hand: what each order led to, and what each account has left. */
export async function judgeOrders(clients: Client[], timeoutMs: number): Promise<string[]> {
  const deadline = Date.now() + timeoutMs
  const judged = await Promise.all(clients.map(client => judgeClient(client, deadline)))
  return judged.flat()
}

async function judgeClient(client: Client, deadline: number): Promise<string[]> {
  const ends = await Promise.all(client.orders.map(async order => ({ order, ends: await endsOf(order, deadline - Date.now()) })))
  const faults = await Promise.all(ends.map(({ order, ends }) => judgeOrder(order, ends)))
  const tasks = ends.flatMap(({ ends }) => ends.filter(end => typeof end !== 'string'))
  const right = creditsEach - tasks.reduce((sum, { credits_used, credits_refunded }) => sum + credits_used - credits_refunded, 0)
  const shown = await client.api.credits()
  const { account } = JSON.parse((await askOperator('ledger', 'GET', `/accounts/${client.accountId}`)).text) as Books
  if (shown !== right || account.available !== right || account.unfinished !== 0)
    faults.push([
      `${client.accountId}: GET /credits ${shown}, ledger ${account.available} with ${account.unfinished} unfinished, by hand ${right}`,
    ])
  return faults.flat()
}

async function judgeOrder(order: Order, ends: (Body | string)[]): Promise<string[]> {
  const ids = [...new Set(order.ids)]
  const name = `order of ${order.askedAt.toISOString()} (${ids.join(', ') || order.faults.at(-1)})`
  const submits = await simulator.submits(order.prompt)
  const faults: string[] = []
  if (ids.length !== 1) faults.push(`${name}: ${ids.length} tasks for one Idempotency-Key`)
  if (submits.length > 1) faults.push(`${name}: sent ${submits.length} times to its provider`)
  for (const end of ends) {
    if (typeof end === 'string') faults.push(`${name}: ${end}`)
    else faults.push(...(await judgeEnd(end)).map(words => `${name}: ${words}`))
  }
  return faults
}

async function judgeEnd(task: Body): Promise<string[]> {
  const { status, text } = await askOperator('ledger', 'GET', `/tasks/${task.id}`)
  const reservation = status === 200 ? (JSON.parse(text) as LedgerTask).reservation : null
  const right = task.status === 'completed' ? 'settled' : 'refunded'
  const faults = reservation?.state === right ? [] : [`${task.status} to its client, ${reservation?.state ?? 'unknown'} to the ledger`]
  const video = task.output && (await fetch(task.output.video_url, { method: 'HEAD' }))
  if (task.status === 'completed' && !video?.ok) faults.push(`its video is ${video?.status}`)
  return faults
}
