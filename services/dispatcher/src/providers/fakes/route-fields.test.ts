import { afterAll, beforeAll, expect, test } from 'bun:test'
import { create } from '@bufbuild/protobuf'
import { MediaKind, type Order, OrderSchema, type Scalar, ScalarSchema } from '@filmgate/proto/gen/filmgate/v1/order_pb'
import { scalarOf } from '@filmgate/proto/scalar'
import { ownRoutes } from '../../config'
import { readRoutes } from '../../routing/read-routes'
import type { Route } from '../../routing/routing'
import { signal, startFakes, submission } from '../../testing/drive-fake'
import { fakeNamed, type OrderInit } from '../../testing/fakes'
import { behave } from '../../testing/test-system'
import type { Connector, HandedMedia } from '../connector'
import { type FieldMappings, mappingOf } from '../mapping/field-mapping'

let simulator: Awaited<ReturnType<typeof startFakes>>
beforeAll(async () => {
  simulator = await startFakes()
})
afterAll(() => simulator.stop())

const file = readRoutes([ownRoutes])
const kinds: Record<string, MediaKind> = { reference_video_urls: MediaKind.VIDEO, reference_audio_urls: MediaKind.AUDIO }

const valuesOf = (words: FieldMappings, field: string): string[] => {
  const { values = [] } = mappingOf(words, field) ?? {}
  return Array.isArray(values) ? values : Object.keys(values)
}

/** As many as the words of a route have places for. */
const inputsOf = (words: FieldMappings, fields: string[], inputsMax = 100): HandedMedia[] =>
  fields
    .flatMap(field =>
      Array.from({ length: mappingOf(words, field)?.items_max ?? 1 }, (_, index) => ({
        ...{ kind: kinds[field] ?? MediaKind.IMAGE, field, index, url: simulator.pictureUrl(`${field}-${index}`) },
      })),
    )
    .slice(0, inputsMax)

/** What may be said beside lengths, sizes, sound and inputs. */
function furtherOf(words: FieldMappings, prompt: string): OrderInit[] {
  const { characters_max: longest = 0 } = mappingOf(words, 'prompt') ?? {}
  const seed = mappingOf(words, 'seed')
  return [
    // As long as the simulator's own bound of a prompt lets it be.
    { prompt: prompt.padEnd(Math.min(longest, 7_000), '.') },
    ...valuesOf(words, 'watermark').map(value => ({ watermark: value === 'true' })),
    ...(mappingOf(words, 'watermark')?.values === undefined && words.watermark ? [{ watermark: true }] : []),
    ...(seed ? [seed.min ?? 7, seed.max ?? 7].map(value => ({ seed: BigInt(value) })) : []),
    ...Object.keys(words)
      .filter(isFurther)
      .flatMap(field => scalarsOf(words, field).map(value => ({ values: { [field]: value } }))),
  ]
}

const ownPlaces = ['prompt', 'duration', 'resolution', 'aspect_ratio', 'seed', 'generate_audio', 'watermark']
/** A field that an order has in its `values`. */
const isFurther = (field: string): boolean => !ownPlaces.includes(field) && !/_urls?$/.test(field)

/** Each value of its mapping; of a range its ends. */
function scalarsOf(words: FieldMappings, field: string): Scalar[] {
  const { min, max } = mappingOf(words, field) ?? {}
  if (min !== undefined && max !== undefined) return [min, max].map(toScalar)
  const values = valuesOf(words, field)
  if (values.length === 0) throw new Error(`${field}: give its mapping \`values\` or a range, so that it is tried here`)
  return values.map(value => toScalar(value === 'true' || value === 'false' ? value === 'true' : value))
}

const toScalar = (value: string | number | boolean): Scalar => create(ScalarSchema, scalarOf(value))

function soundsOf(words: FieldMappings): OrderInit[] {
  if (!words.generate_audio) return [{}]
  const values = valuesOf(words, 'generate_audio')
  return [{}, ...(values.length > 0 ? values : ['true', 'false']).map(value => ({ generateAudio: value === 'true' }))]
}

const product = (lists: OrderInit[][]): OrderInit[] =>
  lists.reduce((all, list) => all.flatMap(one => list.map(more => ({ ...one, ...more }))), [{} as OrderInit])

/** The first of each list together, and each other one in its place. */
function oneByOne(lists: OrderInit[][]): OrderInit[] {
  const first: OrderInit = Object.assign({}, ...lists.map(([one]) => one))
  return [first, ...lists.flatMap(list => list.slice(1).map(more => ({ ...first, ...more })))]
}

/**
 * What orders can say in a route's words: the ends of its lengths, each of its lists, and inputs, in all combinations. A form that has no
 * rules between fields (`isFlat`) is tried with one after another at each resolution.
 */
function ordersOf(model: string, route: Route, words: FieldMappings, prompt: string, { inputsMax, isFlat, fewer }: Form): Order[] {
  const { min, max } = mappingOf(words, 'duration') ?? {}
  const durations = min === undefined || max === undefined ? valuesOf(words, 'duration').map(Number) : [min, max]
  const resolutions = typeof route.model === 'object' ? Object.keys(route.model) : valuesOf(words, 'resolution')
  const inputFields = Object.keys(words).filter(field => /_urls?$/.test(field))
  const lists = [
    durations.map(durationSeconds => ({ durationSeconds })),
    valuesOf(words, 'aspect_ratio').map(aspectRatio => ({ aspectRatio })),
    (fewer ? [inputFields, fewer(inputFields)] : [inputFields]).map(fields => ({ inputs: inputsOf(words, fields, inputsMax) })),
    soundsOf(words),
  ]
  const further = furtherOf(words, prompt)
  const combined = (isFlat ? oneByOne : product)(lists)
  return product([
    resolutions.map(resolution => ({ model, mode: route.mode ?? '', prompt, resolution })),
    [...combined, ...further.map(more => ({ ...combined[0], ...more }))],
  ]).map(order => create(OrderSchema, order))
}

type Form = { inputsMax?: number; isFlat?: boolean; fewer?: (fields: string[]) => string[] }

/** Inputs where the provider takes them: uploaded to it, or in our store. */
async function mediaFor(provider: Connector, inputs: HandedMedia[]): Promise<HandedMedia[]> {
  const uploaded = inputs.length > 0 ? await provider.uploadInputs?.(inputs, signal) : undefined
  if (uploaded?.outcome === 'refused') throw new Error(uploaded.cause)
  return uploaded?.media ?? inputs
}

/** `inputsMax`: H3 takes twelve inputs in all. */
const forms: Record<string, Form & { triedMin: number }> = {
  fal: { triedMin: 1_500, isFlat: true },
  runware: { triedMin: 450 },
  ark: { triedMin: 1_700 },
  'minimax, H3': { triedMin: 140, inputsMax: 12 },
  kling: { triedMin: 540, fewer: fields => fields.filter(field => field !== 'end_image_url') },
  'google, Veo': { triedMin: 120 },
  dashscope: { triedMin: 700, fewer: fields => fields.slice(0, 1) },
  vidu: { triedMin: 200 },
  pixverse: { triedMin: 300 },
  xai: { triedMin: 68 },
  replicate: { triedMin: 500 },
  'openai-videos': { triedMin: 5 },
}

test.each(Object.keys(forms))('%s: every value of every default route is one that its model takes', async name => {
  const { triedMin, ...form } = forms[name] ?? { triedMin: 0 }
  const fake = fakeNamed(name)
  const provider = simulator.connect(fake, { submitTimeoutMs: 60_000 })
  const marked = `form ${crypto.randomUUID()}`
  // What has the right form meets this refusal, and makes nothing.
  await behave(simulator.url, marked, { name: 'refuse', code: 'too_many_requests' })
  const faults: string[] = []
  let tried = 0
  for (const [model, routes] of Object.entries(file.models))
    for (const route of routes.filter(one => one.provider === provider.provider)) {
      const words = { ...file.fields?.[provider.provider], ...route.fields }
      const faultOf = async (order: Order): Promise<string | undefined> => {
        const media = await mediaFor(provider, order.inputs)
        const sent = submission(provider, order, media, { ...file, models: { [model]: [route] } })
        const outcome = await provider.submit({ ...sent, callbackUrl: `https://ours.example/hooks/${provider.provider}/x` }, signal)
        const isTaken = outcome.outcome === 'refused' && fake.tooMany.test(outcome.cause)
        return isTaken ? undefined : `${model} ${sent.providerModel} ${JSON.stringify(outcome)}: ${order.resolution} ${order.aspectRatio}`
      }
      for (const orders of inGroupsOf(32, ordersOf(model, route, words, marked, form))) {
        faults.push(...(await Promise.all(orders.map(faultOf))).filter(fault => fault !== undefined))
        tried += orders.length
      }
    }
  expect(faults.slice(0, 5)).toEqual([])
  expect(tried).toBeGreaterThanOrEqual(triedMin)
})

const inGroupsOf = <T>(size: number, all: T[]): T[][] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, at) => all.slice(at * size, (at + 1) * size))
