import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { create } from '@bufbuild/protobuf'
import { MediaKind, OrderSchema } from '@filmgate/proto/gen/filmgate/v1/order_pb'
import { readRoutes } from '../../routing/read-routes'
import { createRouting } from '../../routing/routing'
import type { OwnProcess } from '../../testing/own-process'
import { behave, simulatorKey, startSimulator } from '../../testing/test-system'
import { wordFor } from '../words/words'
import { connectMiniMax } from './connect-minimax'
import { isH3, requestBody } from './request-body'

setDefaultTimeout(60_000)

let simulator: OwnProcess
let dataDir: string
beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'filmgate-minimax-words-'))
  simulator = await startSimulator(dataDir)
})
afterAll(async () => {
  await simulator.kill('SIGKILL')
  rmSync(dataDir, { recursive: true, force: true })
})

const file = readRoutes(undefined)
const provider = connectMiniMax({ url: 'http://127.0.0.1:1', key: 'unused', submitTimeoutMs: 1, readTimeoutMs: 1 })
const routing = createRouting(file, [provider])
const kinds: Record<string, MediaKind> = { reference_video_urls: MediaKind.VIDEO, reference_audio_urls: MediaKind.AUDIO }

type Words = Parameters<typeof wordFor>[0]
const valuesOf = (words: Words, field: string): string[] => {
  const { values = [] } = wordFor(words, field) ?? {}
  return Array.isArray(values) ? values : Object.keys(values)
}
const inputsOf = (words: Words) =>
  Object.keys(words)
    .filter(field => /_urls?$/.test(field))
    .flatMap(field =>
      Array.from({ length: wordFor(words, field)?.items_max ?? 1 }, (_, index) => ({
        ...{ field, index, kind: kinds[field] ?? MediaKind.IMAGE, url: `https://ours.example/${field}/${index}` },
      })),
    )

/** Every order of all values that a route has words for, with as many inputs as it takes. */
function ordersOf(model: string, mode: string, words: Words, prompt: string) {
  const { min = 0, max = 0 } = wordFor(words, 'duration') ?? {}
  const durations = max > 0 ? [min, max] : valuesOf(words, 'duration').map(Number)
  const inputs = inputsOf(words).slice(0, 12)
  return durations.flatMap(durationSeconds =>
    valuesOf(words, 'resolution').flatMap(resolution =>
      valuesOf(words, 'aspect_ratio').map(aspectRatio =>
        create(OrderSchema, { model, mode, prompt, durationSeconds, resolution, aspectRatio, inputs, watermark: false, credits: 1n }),
      ),
    ),
  )
}

test('every word of every default route to MiniMax is one that its model takes, with all the inputs that it has places for', async () => {
  const marked = `form ${crypto.randomUUID()}`
  // What has the right form meets this refusal, and makes nothing.
  await behave(simulator.url, marked, { name: 'refuse', code: 'too_many_requests' })
  const faults: string[] = []
  let tried = 0
  for (const [model, routes] of Object.entries(file.models))
    for (const { mode = '', words: own } of routes.filter(route => route.provider === 'minimax'))
      for (const order of ordersOf(model, mode, { ...file.words?.minimax, ...own }, marked)) {
        const [route] = routing.routesOf(order)
        if (!route?.words) throw new Error(`${model} ${order.resolution} ${order.aspectRatio} has no route`)
        const { providerModel, words } = route
        const media = inputsOf(words.words).slice(0, 12)
        const body = requestBody({ attemptId: 'at_1', providerModel, order, words, media, callbackUrl: 'https://ours.example/hooks' })
        const answer = await fetch(`${simulator.url}/minimax/${isH3(providerModel) ? 'v2' : 'v1'}/video_generation`, {
          ...{ method: 'POST', headers: { authorization: `Bearer ${simulatorKey}`, 'content-type': 'application/json' } },
          body: JSON.stringify(body),
        })
        tried += 1
        const told = await answer.text()
        if (!/\b1002\b/.test(told)) faults.push(`${model} ${JSON.stringify(body)}: ${answer.status} ${told}`)
      }
  expect(faults).toEqual([])
  expect(tried).toBeGreaterThan(70)
})

test('MiniMax has a route for five of our models, after those of every other provider and before the simulator’s', () => {
  const models = Object.keys(file.models).filter(model => routing.configuredRoutes(model).length > 0)
  expect(models.toSorted()).toEqual(['alpha-h3', 'alpha-h3-max', 'kappa-02', 'kappa-2.3', 'kappa-2.3-fast'])
  for (const model of models) expect(file.models[model]?.at(-1)?.provider).toBe('simulator')
})
