import { expect, test } from 'bun:test'
import { connect } from 'node:net'
import { openAccount } from '../../support/client/account'
import { smallRequest } from '../../support/client/request'
import { taskIdsOf } from '../../support/servers/databases'
import { scrape } from '../../support/servers/metrics'
import { logLines, logSize } from '../../support/servers/service-log'
import { settings } from '../../support/settings'
import { simulator } from '../../support/simulator'
import { until } from '../../support/until'

/** As many as an account may have unfinished. */
const leavers = 3

/** Sends what it is given of a request, and leaves without its answer once `beforeLeaving` is through. */
async function leave(head: string, body: string, beforeLeaving: () => Promise<unknown> = async () => {}): Promise<void> {
  const { hostname, port } = new URL(settings.url)
  const written = Promise.withResolvers<void>()
  const socket = connect(Number(port), hostname).on('error', written.reject)
  socket.write(`${head} HTTP/1.1\r\nhost: ${hostname}\r\n${body}`, () => written.resolve())
  await written.promise
  await beforeLeaving()
  socket.destroy()
}

/** Requests of the gateway whose client had left, as its metrics count them. */
const countedLeft = async (): Promise<number> =>
  (await scrape(settings.gatewayMetricsUrl))
    .filter(({ metric, labels }) => metric === 'http_request_seconds_count' && labels.status === '499')
    .reduce((sum, { value }) => sum + value, 0)

test('clients that leave in their body, while admission goes on and while a read is held are no fault of ours: 499, and no stack', async () => {
  const [{ apiKey, accountId }, holder] = await Promise.all([openAccount(), openAccount()])
  const { pathname } = new URL(settings.url)
  const held = smallRequest()
  await simulator.behave(held.prompt, [{ name: 'never_finishes' }])
  const { id } = (await holder.api.generate(held)).body
  const before = await countedLeft()
  const logStart = logSize('gateway')
  const json = `authorization: Bearer ${apiKey}\r\ncontent-type: application/json\r\nidempotency-key: `
  for (let leaver = 0; leaver < leavers; leaver++) {
    await leave(`POST ${pathname}/video/generations`, `${json}a${leaver}\r\ncontent-length: 500\r\n\r\n{"model":`)
    await leave(`POST ${pathname}/video/estimate`, `${json}b${leaver}\r\ntransfer-encoding: chunked\r\n\r\n5\r\n{"mod\r\n`)
    await leave(`GET ${pathname}/tasks/${id}`, `authorization: Bearer ${holder.apiKey}\r\nprefer: wait=60\r\n\r\n`)
    const waiting = smallRequest()
    await simulator.behave(waiting.prompt, [{ name: 'accept_late', delay_ms: 4_000 }])
    const text = JSON.stringify(waiting)
    const taken = () => until('the task to be there', async () => (await taskIdsOf(accountId)).length > leaver)
    await leave(`POST ${pathname}/video/generations`, `${json}c${leaver}\r\ncontent-length: ${text.length}\r\n\r\n${text}`, taken)
  }
  await until('all that left to be counted', async () => (await countedLeft()) >= before + 4 * leavers)
  const lines = logLines('gateway', logStart)
  const own = lines.filter(({ key_id }) => [apiKey, holder.apiKey].some(key => key.slice(8, 20) === key_id))
  expect(own.filter(({ status }) => status === 499)).toHaveLength(4 * leavers)
  expect(own.filter(({ status }) => Number(status) >= 500)).toEqual([])
  const left = new Set(own.map(({ trace_id }) => trace_id))
  expect(lines.filter(({ err, trace_id }) => err !== undefined && left.has(trace_id))).toEqual([])
  const [submit] = await simulator.submits(held.prompt)
  await simulator.release(submit?.generation_id ?? '')
})
