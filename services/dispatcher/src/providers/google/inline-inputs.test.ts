import { afterAll, expect, test } from 'bun:test'
import { create } from '@bufbuild/protobuf'
import { MediaKind, OrderSchema } from '@filmgate/proto/gen/filmgate/v1/order_pb'
import { brokenStore } from '../../testing/broken-store'
import type { HandedMedia, Uploaded } from '../connector'
import { connectGoogle } from './connect-google'
import { inlineInputs } from './inline-inputs'
import { createPlaces } from './places'

const servers: { stop(abrupt: boolean): unknown }[] = []
afterAll(() => servers.forEach(server => void server.stop(true)))

const { signal } = new AbortController()
const png = 'the bytes of a picture'
const inline = `data:image/png;base64,${Buffer.from(png).toString('base64')}`
const picture = () => new Response(png, { headers: { 'content-type': 'image/png' } })

/** Our store, which answers so. */
function store(answer: () => Response | Promise<Response> = picture) {
  let asked = 0
  const server = Bun.serve({
    port: 0,
    fetch() {
      asked += 1
      return answer()
    },
  })
  servers.push(server)
  const media = (index = 0): HandedMedia => ({
    ...{
      kind: MediaKind.IMAGE,
      field: 'image_url',
      index,
      url: `http://127.0.0.1:${server.port}/inputs/vt_1/1-${index}.png?X-Amz-Signature=s`,
    },
  })
  return { media, asked: () => asked }
}

const options = (own: object = {}) => ({
  ...{ timeoutMs: 2_000, bytesMax: 1_000, places: createPlaces({ count: 1, heldMsMax: 60_000 }), ...own },
})
const refused = (cause: string, inputsUnread: boolean): Uploaded => ({
  ...{ outcome: 'refused', code: 'generation_unavailable', cause: `not sent: ${cause}`, inputsUnread },
})

test('pictures become addresses that hold them, and keep their places', async () => {
  const { media } = store()
  const own = [media(1), media(0)]
  expect(await inlineInputs(options(), own, signal)).toEqual({ outcome: 'uploaded', media: own.map(one => ({ ...one, url: inline })) })
})

test('a copy that our store doesn’t give, or not to its end, is our own fault', async () => {
  for (const [answer, cause] of [
    [() => new Response('', { status: 503 }), 'our store answered 503 to an input'],
    [() => new Response(png, { status: 404 }), 'our store answered 404 to an input'],
    [() => new Promise<Response>(() => {}), 'our store gave no input: TimeoutError: The operation timed out.'],
  ] as [() => Response, string][]) {
    const outcome = await inlineInputs(options(), [store(answer).media()], signal)
    expect(outcome).toMatchObject({ outcome: 'refused', inputsUnread: true, cause: `not sent: ${cause}` })
  }
  const broken = brokenStore()
  expect(await inlineInputs(options(), [broken.media], signal)).toMatchObject({
    ...{ outcome: 'refused', inputsUnread: true },
    cause: expect.stringContaining('not sent: an input broke off on its way from our store: '),
  })
  broken.stop()
})

test('what is no picture, and what is too much of them, goes to another provider', async () => {
  const movie = () => new Response(png, { headers: { 'content-type': 'video/mp4' } })
  expect(await inlineInputs(options(), [store(movie).media()], signal)).toEqual(refused('an input is no picture that Google takes', false))
  const tooLarge = refused('the pictures are more than a request to Google holds', false)
  const { media, asked } = store()
  expect(await inlineInputs(options({ bytesMax: png.length * 2 }), [media(0), media(1)], signal)).toMatchObject({ outcome: 'uploaded' })
  expect(await inlineInputs(options({ bytesMax: png.length * 2 - 1 }), [media(0), media(1)], signal)).toEqual(tooLarge)
  expect(asked()).toBe(4)
  const undeclared = () =>
    new Response(new ReadableStream({ pull: controller => controller.enqueue(new Uint8Array(600)) }), {
      headers: { 'content-type': 'image/png' },
    })
  expect(await inlineInputs(options(), [store(undeclared).media()], signal)).toEqual(refused('our store answered 200 to an input', true))
})

test('only so many orders have their pictures in memory; the next one waits until a place is given back', async () => {
  const { media, asked } = store()
  const own = options()
  const first = await inlineInputs(own, [media()], signal)
  const second = inlineInputs({ ...own, timeoutMs: 5_000 }, [media()], signal)
  await Bun.sleep(50)
  expect(asked()).toBe(1)
  if (first.outcome === 'uploaded') own.places.giveBack(first.media)
  expect(await second).toMatchObject({ outcome: 'uploaded' })
  expect(await inlineInputs(own, [media()], signal)).toMatchObject({
    outcome: 'refused',
    inputsUnread: true,
    cause: expect.stringContaining('no place'),
  })
})

test('a place is free again when nothing was read for it, and when its submit never came', async () => {
  const own = options({ places: createPlaces({ count: 1, heldMsMax: 200 }), timeoutMs: 5_000 })
  const gone = () => new Response('', { status: 404 })
  for (const answer of [gone, gone, picture, picture]) {
    const outcome = await inlineInputs(own, [store(answer).media()], signal)
    expect(outcome.outcome).toBe(answer === picture ? 'uploaded' : 'refused')
  }
})

test('Google’s connector gives a place back when its submit has ended, whatever came of it', async () => {
  const { media } = store()
  const provider = connectGoogle({
    url: 'http://127.0.0.1:1/v1beta',
    key: 'k',
    submitTimeoutMs: 60_000,
    readTimeoutMs: 2_000,
    uploadTimeoutMs: 2_000,
  })
  const uploads = async () => (await provider.uploadInputs?.([media()], signal)) as Extract<Uploaded, { outcome: 'uploaded' }>
  const held = [await uploads(), await uploads(), await uploads(), await uploads()]
  expect(await uploads()).toMatchObject({ outcome: 'refused' })
  const submission = {
    attemptId: 'at_1',
    providerModel: 'veo-3.1',
    mapping: { fields: {}, always: {} },
    callbackUrl: undefined,
    media: held[0]?.media ?? [],
  }
  await expect(provider.submit({ ...submission, order: create(OrderSchema) }, signal)).rejects.toThrow(
    'a route that says prompt was chosen',
  )
  expect(await uploads()).toMatchObject({ outcome: 'uploaded' })
})
