import { expect, test } from 'bun:test'
import { EventSource } from 'eventsource'
import { openAccount } from '../../support/client/account'
import { ownWords, smallRequest } from '../../support/client/request'
import { followTask, type TaskEvent } from '../../support/events/event-stream'
import { settings } from '../../support/settings'
import { simulator } from '../../support/simulator'
import { until } from '../../support/until'

/** Its provider tells places in a queue and percent, for as long as the stack lets a generation run. */
async function startTold(): Promise<{ id: string; apiKey: string; credits: number; list(): Promise<TaskEvent[]> }> {
  const { api, apiKey } = await openAccount()
  const prompt = ownWords()
  await simulator.behave(prompt, [
    { name: 'tells_progress', places: 1, step: 30 },
    { name: 'slow', delay_ms: 8_000 },
  ])
  const { id, credits_used } = (await api.generate(smallRequest({ prompt }))).body
  return { id, apiKey, credits: credits_used, list: async () => JSON.parse((await api.get(`/tasks/${id}/events`)).text).data }
}

test('a whole generation over two gateways, broken off after each event and resumed at the other: nothing is lost or repeated', async () => {
  const { id, apiKey, credits, list } = await startTold()
  const bases = [settings.url, settings.secondUrl]
  const seen: TaskEvent[] = []
  const meanwhile = await followTask(apiKey, id)
  for (let turn = 0; ; turn++) {
    const stream = await followTask(apiKey, id, { base: bases[turn % 2], after: seen.at(-1)?.id })
    if (stream.status === 204) break
    await until('an event or the end', async () => stream.events.length > 0 || stream.ended)
    stream.leave()
    seen.push(...stream.events)
  }
  await until('the unbroken stream to end', async () => meanwhile.ended)
  expect(seen).toEqual(meanwhile.events)
  expect(seen).toEqual(await list())
  expect(seen.map(event => event.id)).toEqual(seen.map((_, index) => String(index + 1)))
  const running = seen.filter(({ type }) => type === 'running')
  expect(running.map(({ position }) => position).filter(position => position !== undefined)).toEqual([1])
  const percents = running.flatMap(({ percent }) => percent ?? [])
  expect([percents.length > 0, percents]).toEqual([true, percents.toSorted((a, b) => a - b)])
  expect(seen.filter(({ type }) => type !== 'running').map(({ type }) => type)).toEqual(['queued', 'accepted', 'copying', 'completed'])
  expect(seen.at(-1)).toMatchObject({ credits_used: credits, credits_refunded: 0, video_url: expect.stringMatching(/^https?:/) })
  expect(JSON.stringify(seen)).not.toContain('simulator')
}, 60_000)

test('the eventsource client of npm reads it, resumes by itself and stops at the end', async () => {
  const { id, apiKey, list } = await startTold()
  const requests: (string | null)[] = []
  const source = new EventSource(`${settings.url}/tasks/${id}/events`, {
    fetch: (url, init) => {
      requests.push(new Headers(init.headers).get('last-event-id'))
      return fetch(url, { ...init, headers: { ...init.headers, authorization: `Bearer ${apiKey}` } })
    },
  })
  const seen: TaskEvent[] = []
  source.onmessage = ({ data, lastEventId }) => {
    const event: TaskEvent = JSON.parse(data)
    expect(lastEventId).toBe(event.id)
    seen.push(event)
  }
  await until('the client to stop', async () => source.readyState === source.CLOSED)
  expect(seen).toEqual(await list())
  expect(requests).toEqual([null, seen.at(-1)?.id ?? ''])
}, 60_000)
