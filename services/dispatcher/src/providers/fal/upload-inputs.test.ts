import { afterAll, expect, test } from 'bun:test'
import { parseRange } from '@filmgate/kit/safe-fetch/range'
import { type NameReply, startNameServer } from '@filmgate/kit/testing/name-server'
import { MediaKind } from '@filmgate/proto/gen/filmgate/v1/order_pb'
import type { HandedMedia, Uploaded } from '../connector'
import { connectFal } from './connect-fal'
import { uploadInputs } from './upload-inputs'

type ProviderRequest = { method: string; path: string; headers: Record<string, string | null>; body: string }
type Answer = (request: Request, origin: string) => Response | Promise<Response>

const servers: { stop(abrupt: boolean): unknown }[] = []
afterAll(() => servers.forEach(server => void server.stop(true)))

const watched = ['authorization', 'content-type', 'content-length', 'transfer-encoding', 'x-fal-object-lifecycle']
const initiatePath = '/storage/upload/initiate?storage_type=fal-cdn-v3'
const png = 'the bytes of a picture'

/** Our store and fal's storage at once, answering as told where that differs from what they do. */
function storage(answers: { ours?: Answer; initiate?: Answer; put?: Answer } = {}) {
  const asked: ProviderRequest[] = []
  const usual = {
    ours: () => new Response(png, { headers: { 'content-type': 'image/png' } }),
    initiate: (_: Request, origin: string) =>
      Response.json({ upload_url: `${origin}/put?signature=s`, file_url: `${origin}/files/rabbit/1.png` }),
    put: () => new Response(null, { status: 200 }),
  }
  const server = Bun.serve({
    port: 0,
    async fetch(request) {
      const { pathname, search, origin } = new URL(request.url)
      const headers = Object.fromEntries(watched.map(name => [name, request.headers.get(name)]))
      const kind = pathname.startsWith('/ours') ? 'ours' : pathname === '/put' ? 'put' : 'initiate'
      if (kind !== 'ours') asked.push({ method: request.method, path: `${pathname}${search}`, headers, body: await request.clone().text() })
      return { ...usual, ...answers }[kind](request, origin)
    },
  })
  servers.push(server)
  const origin = `http://127.0.0.1:${server.port}`
  const media = (index = 0, path = '/ours/inputs/vt_1/1-0.png?X-Amz-Signature=secret'): HandedMedia => ({
    ...{ kind: MediaKind.IMAGE, field: 'image_url', index, url: `${origin}${path}` },
  })
  const options = {
    restUrl: origin,
    key: 'id:secret',
    policy: { forbiddenRanges: [], trustedOrigins: [{ origin }] },
    timeoutMs: 1_000,
    keptSeconds: 86_400,
  }
  return { origin, asked, media, options, upload: (own = [media()]) => uploadInputs(options, own, new AbortController().signal) }
}

test('an input is asked a place for under our key, and its bytes go there without it, in one piece', async () => {
  const { origin, asked, media, upload } = storage()
  expect(await upload()).toEqual({ outcome: 'uploaded', media: [{ ...media(), url: `${origin}/files/rabbit/1.png` }] })
  const none = { 'transfer-encoding': null, 'x-fal-object-lifecycle': null }
  expect(asked).toMatchObject([
    {
      ...{ method: 'POST', path: initiatePath, body: '{"content_type":"image/png","file_name":"image_url-0.png"}' },
      headers: {
        ...{ authorization: 'Key id:secret', 'content-type': 'application/json' },
        'x-fal-object-lifecycle': '{"expiration_duration_seconds":86400}',
      },
    },
    {
      ...{ method: 'PUT', path: '/put?signature=s', body: png },
      headers: { ...none, authorization: null, 'content-type': 'image/png', 'content-length': String(png.length) },
    },
  ])
})

test('all inputs of an order keep their places, however many there are', async () => {
  const { origin, asked, media, upload } = storage({
    initiate: async (request, origin) => {
      const { file_name } = (await request.json()) as { file_name: string }
      return Response.json({ upload_url: `${origin}/put`, file_url: `${origin}/files/${file_name}` })
    },
  })
  const own = Array.from({ length: 9 }, (_, index) => media(index))
  expect(await upload(own)).toEqual({
    outcome: 'uploaded',
    media: own.map(one => ({ ...one, url: `${origin}/files/image_url-${one.index}.png` })),
  })
  expect(asked.filter(({ method }) => method === 'PUT').length).toBe(9)
})

const refused = (cause: string, inputsUnread: boolean): Uploaded => ({
  ...{ outcome: 'refused', code: 'generation_unavailable', cause: `not sent: ${cause}`, inputsUnread },
})
const never = () => new Promise<Response>(() => {})

test('a copy that our store doesn’t give is our own fault, and no place is asked for it', async () => {
  for (const [ours, cause] of [
    [() => new Response('', { status: 503 }), 'our store answered 503 to an input'],
    [() => new Response(png, { status: 404 }), 'our store answered 404 to an input'],
    [never, 'our store gave no input: TimeoutError: The operation timed out.'],
  ] as [Answer, string][]) {
    const { asked, upload } = storage({ ours })
    expect(await upload()).toMatchObject(refused(cause, true))
    expect(asked).toEqual([])
  }
})

test('a storage that refuses, gives no usable answer or names no public address ends the attempt before it is sent', async () => {
  const naming = (upload_url: string, file_url: string) => () => Response.json({ upload_url, file_url })
  const nowhere = 'fal’s storage named an address that is not on the public internet'
  for (const [initiate, cause] of [
    [() => Response.json({ detail: 'no' }, { status: 401 }), 'fal’s storage answered 401'],
    [() => Response.json({ upload_url: 'https://v3.fal.media/x' }), 'fal’s storage answered 200'],
    [() => new Response('<html>'), 'fal’s storage: answered 200 with something that is not JSON'],
    [naming('http://169.254.169.254/latest', 'https://v3.fal.media/files/x'), nowhere],
    [naming('https://10.0.0.7/x', 'https://v3.fal.media/files/x'), nowhere],
    [naming('https://v3.fal.media/x', 'http://localhost/x'), nowhere],
  ] as [Answer, string][]) {
    const { asked, upload } = storage({ initiate })
    expect(await upload()).toEqual(refused(cause, false))
    expect(asked.filter(({ method }) => method === 'PUT')).toEqual([])
  }
})

test('a name of fal’s storage that leads into a network of ours, or to nothing, is not followed', async () => {
  const initiate: Answer = () =>
    Response.json({ upload_url: 'https://storage.example.com/put', file_url: 'https://storage.example.com/files/x' })
  const nowhere = refused('fal’s storage named an address that is not on the public internet', false)
  for (const [reply, expected] of [
    [{ address: '169.254.169.254' }, nowhere],
    [{ address: '10.0.0.7' }, nowhere],
    [{ address: '93.184.216.7' }, nowhere],
    ['noSuchName', refused('the name of fal’s storage: Failure: no address', true)],
  ] as [NameReply, Uploaded][]) {
    const names = await startNameServer(() => reply)
    const { asked, media, options } = storage({ initiate })
    const forbiddenRanges = [parseRange('93.184.216.0/24')]
    const policy = { ...options.policy, forbiddenRanges, nameServers: [names.address] }
    expect(await uploadInputs({ ...options, policy }, [media()], new AbortController().signal)).toEqual(expected)
    expect(names.asked).toContain('storage.example.com')
    expect(asked.filter(({ method }) => method === 'PUT')).toEqual([])
    await names.stop()
  }
})

test('bytes that are not taken are refused by fal; bytes that break off on their way are nobody’s word', async () => {
  for (const status of [403, 500, 302]) {
    const put = () => new Response(null, { status, headers: { location: 'https://elsewhere.example/' } })
    expect(await storage({ put }).upload()).toEqual(refused(`fal’s storage answered ${status} to an input`, false))
  }
  expect(await storage({ put: never }).upload()).toMatchObject(
    refused('an input broke off on its way to fal’s storage: TimeoutError: The operation timed out.', true),
  )
})

test('fal’s connector uploads where it was told that our store can’t be read, and only there', async () => {
  const { origin, media } = storage()
  const options = { url: origin, key: 'id:secret', submitTimeoutMs: 10_000, readTimeoutMs: 10_000 }
  expect(connectFal(options).uploadInputs).toBeUndefined()
  const provider = connectFal({ ...options, upload: { timeoutMs: 1_000, keptSeconds: 60, forbiddenRanges: [] } })
  expect(await provider.uploadInputs?.([media()], new AbortController().signal)).toMatchObject({ outcome: 'uploaded' })
})
