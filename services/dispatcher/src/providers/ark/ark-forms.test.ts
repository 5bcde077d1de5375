import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { create } from '@bufbuild/protobuf'
import { MediaKind, type Order, OrderSchema } from '@filmgate/proto/gen/filmgate/v1/order_pb'
import { ownRoutes } from '../../config'
import { readRoutes } from '../../routing/read-routes'
import { createRouting } from '../../routing/routing'
import type { OwnProcess } from '../../testing/own-process'
import { behave, simulatorKey, startSimulator } from '../../testing/test-system'
import { type FieldMapping, mappingOf } from '../mapping/field-mapping'
import { connectArk } from './connect-ark'
import { dearerBy, modelAt, requestBody } from './request-body'

let simulator: OwnProcess
let dataDir: string
beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'filmgate-ark-test-'))
  simulator = await startSimulator(dataDir)
})
afterAll(async () => {
  await simulator.kill('SIGKILL')
  rmSync(dataDir, { recursive: true, force: true })
})

const kinds: Record<string, MediaKind> = { reference_video_urls: MediaKind.VIDEO, reference_audio_urls: MediaKind.AUDIO }
const valuesOf = (word: FieldMapping | undefined): string[] => (Array.isArray(word?.values) ? word.values : Object.keys(word?.values ?? {}))

/** As many media as the words of a route have places for. */
const inputsOf = (words: Record<string, FieldMapping | string>) =>
  Object.keys(words)
    .filter(field => /_urls?$/.test(field))
    .flatMap(field =>
      Array.from({ length: mappingOf(words, field)?.items_max ?? 1 }, (_, index) => ({
        ...{ kind: kinds[field] ?? MediaKind.IMAGE, field, index, url: `https://ours.example/${field}/${index}` },
      })),
    )

test('every value of every default route to Ark is one that its model takes, under BytePlus’s names, too', async () => {
  const file = readRoutes([ownRoutes])
  const url = `${simulator.url}/ark/api/v3`
  const provider = connectArk({ url, key: simulatorKey, submitTimeoutMs: 10_000, readTimeoutMs: 10_000, marksAttempts: false })
  const routing = createRouting(file, [provider])
  const marked = `form ${crypto.randomUUID()}`
  // What has the right form meets this refusal, and makes nothing.
  await behave(simulator.url, marked, { name: 'refuse', code: 'too_many_requests' })
  const faults: string[] = []
  let tried = 0

  async function tryOrder(wanted: Order): Promise<void> {
    tried += 1
    const [route] = routing.routesOf(wanted)
    if (!route?.mapping) throw new Error(`${wanted.model} ${wanted.mode} ${wanted.resolution} ${wanted.aspectRatio} has no route`)
    const body = requestBody(
      {
        attemptId: 'at_1',
        providerModel: route.providerModel,
        order: wanted,
        mapping: route.mapping,
        media: wanted.inputs,
        callbackUrl: undefined,
      },
      true,
    )
    expect(dearerBy(body, wanted.prompt)).toBeUndefined()
    const answer = await fetch(`${url}/contents/generations/tasks`, {
      ...{ method: 'POST', headers: { authorization: `Bearer ${simulatorKey}`, 'content-type': 'application/json' } },
      body: JSON.stringify({ ...body, model: modelAt('https://ark.ap-southeast.bytepluses.com', body.model) }),
    })
    if (answer.status !== 429) faults.push(`${wanted.model} ${JSON.stringify(body)}: ${answer.status} ${await answer.text()}`)
  }

  for (const [model, routes] of Object.entries(file.models))
    for (const { mode = '', fields: own } of routes.filter(route => route.provider === 'ark')) {
      const words = { ...file.fields?.ark, ...own }
      const { min = 0, max = 0 } = mappingOf(words, 'duration') ?? {}
      const inputs = inputsOf(words)
      for (const durationSeconds of [min, max])
        for (const resolution of valuesOf(mappingOf(words, 'resolution')))
          for (const aspectRatio of valuesOf(mappingOf(words, 'aspect_ratio'))) {
            const further = [
              { watermark: true },
              words.generate_audio ? { generateAudio: true } : {},
              ...(words.seed ? [{ seed: 7n }] : []),
            ]
            const order = { model, mode, prompt: marked, durationSeconds, resolution, aspectRatio, inputs }
            await Promise.all(further.map(more => tryOrder(create(OrderSchema, { ...order, ...more }))))
          }
    }
  expect(faults).toEqual([])
  expect(tried).toBeGreaterThan(1_000)
})
