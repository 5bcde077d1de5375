import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { create } from '@bufbuild/protobuf'
import { MediaKind, type Order, OrderSchema } from '@filmgate/proto/gen/filmgate/v1/order_pb'
import { readRoutes } from '../../routing/read-routes'
import { createRouting } from '../../routing/routing'
import { newAttemptId } from '../../testing/attempt-id'
import type { OwnProcess } from '../../testing/own-process'
import { behave, simulatorKey, startSimulator } from '../../testing/test-system'
import { type Words, wordFor } from '../words/words'
import { connectKling } from './connect-kling'
import { requestBody } from './request-body'

setDefaultTimeout(60_000)

let simulator: OwnProcess
let dataDir: string
beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'filmgate-kling-test-'))
  simulator = await startSimulator(dataDir)
})
afterAll(async () => {
  await simulator.kill('SIGKILL')
  rmSync(dataDir, { recursive: true, force: true })
})

const kinds: Record<string, MediaKind> = { reference_video_urls: MediaKind.VIDEO }
/** As many as a word has a place for. */
const inputsOf = (words: Words, without: string) =>
  Object.keys(words)
    .filter(field => /_urls?$/.test(field) && field !== without)
    .flatMap(field =>
      Array.from({ length: wordFor(words, field)?.items_max ?? 1 }, (_, index) => ({
        ...{ kind: kinds[field] ?? MediaKind.IMAGE, field, index, url: `https://ours.example/${field}/${index}` },
      })),
    )

/** What orders can say in a route's words: the ends of its lengths, and each of its lists. */
function* ordersOf(model: string, mode: string, words: Words, prompt: string): Generator<Order> {
  const valuesOf = (field: string): string[] => {
    const { values = {} } = wordFor(words, field) ?? {}
    return Array.isArray(values) ? values : Object.keys(values)
  }
  const { min, max } = wordFor(words, 'duration') ?? {}
  const durations = min === undefined ? valuesOf('duration') : [min, max]
  const sounds = words.generate_audio ? valuesOf('generate_audio').map(value => ({ generateAudio: value === 'true' })) : [{}]
  for (const duration of durations)
    for (const resolution of valuesOf('resolution'))
      for (const aspectRatio of valuesOf('aspect_ratio'))
        for (const sound of sounds)
          for (const inputs of [inputsOf(words, ''), inputsOf(words, 'end_image_url')])
            yield create(OrderSchema, {
              ...{ model, mode, prompt, durationSeconds: Number(duration), resolution, aspectRatio, inputs, ...sound },
            })
}

test('every word of every default route to Kling is one that its model takes', async () => {
  const provider = connectKling({ url: `${simulator.url}/kling`, key: simulatorKey, submitTimeoutMs: 1_000, readTimeoutMs: 1_000 })
  const file = readRoutes(undefined)
  const routing = createRouting(file, [provider])
  const faults: string[] = []
  let tried = 0
  const marked = `form ${crypto.randomUUID()}`
  // What has the right form meets this refusal, and makes nothing.
  await behave(simulator.url, marked, { name: 'refuse', code: 'too_many_requests' })
  for (const [model, routes] of Object.entries(file.models))
    for (const { mode = '', words: own } of routes.filter(route => route.provider === 'kling'))
      for (const order of ordersOf(model, mode, { ...file.words?.kling, ...own }, marked)) {
        const [route] = routing.routesOf(order)
        if (!route?.words) throw new Error(`${model} ${order.resolution} ${order.aspectRatio} has no route`)
        const { providerModel, words } = route
        const body = requestBody({ attemptId: newAttemptId(), providerModel, order, words, media: order.inputs, callbackUrl: undefined })
        const answer = await fetch(`${simulator.url}/kling/${providerModel}`, {
          method: 'POST',
          headers: { authorization: `Bearer ${simulatorKey}`, 'content-type': 'application/json' },
          body: JSON.stringify(body),
        })
        tried += 1
        if (answer.status !== 429) faults.push(`${model} ${providerModel} ${JSON.stringify(body)}: ${answer.status} ${await answer.text()}`)
      }
  expect(faults).toEqual([])
  expect(tried).toBeGreaterThan(400)
})
