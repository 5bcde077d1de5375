import { afterAll, beforeAll, expect, test } from 'bun:test'
import { createHandler } from '../bus/handling/handle'
import type { Incoming } from '../bus/message'
import { testLog, until } from '../testing'
import { openSpan, startTracing, type Tracing, traceparent, withSpan } from './trace'

type Exported = { name: string; traceId: string; spanId: string; parentSpanId?: string; status?: { code?: number } }

/** A collector that keeps what it is sent. */
const exported: Exported[] = []
const collector = Bun.serve({
  port: 0,
  async fetch(request) {
    const body = (await request.json()) as { resourceSpans: { scopeSpans: { spans: Exported[] }[] }[] }
    exported.push(...body.resourceSpans.flatMap(one => one.scopeSpans.flatMap(({ spans }) => spans)))
    return new Response('{}', { headers: { 'content-type': 'application/json' } })
  },
})
let tracing: Tracing
beforeAll(() => {
  tracing = startTracing({ service: 'test', endpoint: `http://127.0.0.1:${collector.port}`, sampleRatio: 1 })
})
afterAll(async () => {
  await tracing.stop()
  collector.stop(true)
})

const traceId = '0af7651916cd43dd8448eb211c80319c'
const sampled = `00-${traceId}-b7ad6b7169203331-01`
const unsampled = `00-${traceId}-b7ad6b7169203331-00`

test('work in a span carries its traceparent, and the span is exported with its parent', async () => {
  const inner = await withSpan('outer', { parent: sampled }, () => withSpan('inner', {}, async () => traceparent()))
  expect(inner).toMatch(new RegExp(`^00-${traceId}-[0-9a-f]{16}-01$`))
  expect(traceparent()).toBeUndefined()
  await until('exported', () => exported.length >= 2)
  const [outer, child] = ['outer', 'inner'].map(name => exported.find(one => one.name === name))
  expect(outer).toMatchObject({ traceId, parentSpanId: 'b7ad6b7169203331' })
  expect(child).toMatchObject({ traceId, parentSpanId: outer?.spanId })
})

test('what fails in a span fails as before, and the span says so', async () => {
  await expect(withSpan('failing', { parent: sampled }, () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  await until('exported', () => exported.some(one => one.name === 'failing'))
  expect(exported.find(one => one.name === 'failing')?.status?.code).toBe(2)
})

test('a message that is sampled gets a span of its own, and what it causes belongs to it; others cost none', async () => {
  const seen: Incoming<string>[] = []
  const subscription = {
    group: 'g',
    topics: { t: (bytes: Uint8Array) => new TextDecoder().decode(bytes) },
    handle: async (messages: Incoming<string>[]) => void seen.push(...messages),
  }
  const handle = createHandler(subscription, async () => {}, testLog, new AbortController().signal)
  const received = (text: string, parent: string) => ({
    topic: 't',
    partition: 0,
    message: {
      key: null,
      value: Buffer.from(text),
      timestamp: '0',
      attributes: 0,
      offset: '0',
      headers: { traceparent: Buffer.from(parent) },
    },
  })
  await handle([received('a', sampled), received('b', unsampled)])
  await until('exported', () => exported.some(one => one.name === 'process t'))
  const span = exported.find(one => one.name === 'process t')
  expect(span).toMatchObject({ traceId, parentSpanId: 'b7ad6b7169203331' })
  expect(seen.map(message => message.traceparent)).toEqual([`00-${traceId}-${span?.spanId}-01`, unsampled])
  expect(openSpan('none', { parent: unsampled })).toBeUndefined()
  expect(openSpan('none', {})).toBeUndefined()
})
