import { afterAll, expect, test } from 'bun:test'
import { MediaKind } from '@filmgate/proto/gen/filmgate/v1/order_pb'
import { brokenStore } from '../../testing/broken-store'
import type { HandedMedia } from '../connector'
import { uploadInputs } from './upload-inputs'

const servers: { stop(abrupt: boolean): unknown }[] = []
afterAll(() => servers.forEach(server => void server.stop(true)))

type Uploaded = { headers: Record<string, string | null>; fields: string[]; file: { name: string; type: string; text: string } | undefined }
const watched = ['api-key', 'ai-trace-id', 'transfer-encoding']
const png = 'the bytes of a picture'

/** Our store and PixVerse at once, answering as told where that differs from what they do. */
function storage(answers: { ours?: () => Response | Promise<Response>; theirs?: (count: number) => Response | Promise<Response> } = {}) {
  const uploads: Uploaded[] = []
  const lengths: (string | null)[] = []
  const server = Bun.serve({
    port: 0,
    async fetch(request) {
      if (new URL(request.url).pathname.startsWith('/ours'))
        return answers.ours?.() ?? new Response(png, { headers: { 'content-type': 'image/png' } })
      const length = request.headers.get('content-length')
      lengths.push(length)
      const raw = await request.clone().bytes()
      if (String(raw.length) !== length) return Response.json({ ErrCode: 400013 })
      const form = await request.formData()
      const file = form.get('image') as unknown as File | null
      uploads.push({
        headers: Object.fromEntries(watched.map(name => [name, request.headers.get(name)])),
        fields: [...form.keys()],
        file: file ? { name: file.name, type: file.type, text: await file.text() } : undefined,
      })
      return (
        answers.theirs?.(uploads.length) ?? told({ img_id: 343_252_978_600_000 + uploads.length, img_url: 'https://media.pixverse.ai/a' })
      )
    },
  })
  servers.push(server)
  const origin = `http://127.0.0.1:${server.port}`
  let traces = 0
  const options = { url: origin, headers: () => ({ 'api-key': 'the-key', 'ai-trace-id': `trace-${traces++}` }), timeoutMs: 1_000 }
  return {
    ...{ uploads, lengths },
    upload: (...media: HandedMedia[]) =>
      uploadInputs(
        options,
        media.map(one => ({ ...one, url: one.url || `${origin}/ours/${one.field}.png?signature=s` })),
        new AbortController().signal,
      ),
  }
}

const told = (Resp: unknown, ErrCode = 0) => Response.json({ ErrCode, ErrMsg: 'words', Resp })
const media = (field: string, index = 0): HandedMedia => ({ kind: MediaKind.IMAGE, field, index, url: '' })

test('inputs go up as files of a form, each in a request of its own, and stand under the ids that they were given', async () => {
  const { uploads, lengths, upload } = storage()
  const uploaded = await upload(media('image_url'), media('end_image_url'))
  expect(uploaded).toMatchObject({ outcome: 'uploaded', media: [{ field: 'image_url' }, { field: 'end_image_url' }] })
  const urls = uploaded.outcome === 'uploaded' ? uploaded.media.map(({ url }) => url) : []
  expect(urls.toSorted()).toEqual(['343252978600001', '343252978600002'])
  expect(uploads.map(({ file }) => file?.name).toSorted()).toEqual(['end_image_url-0.png', 'image_url-0.png'])
  for (const { headers, fields, file } of uploads) {
    expect([fields, file?.type, file?.text]).toEqual([['image'], 'image/png', png])
    expect(headers).toEqual({ 'api-key': 'the-key', 'ai-trace-id': expect.stringMatching(/^trace-\d$/), 'transfer-encoding': null })
  }
  expect(new Set(uploads.map(({ headers }) => headers['ai-trace-id'])).size).toBe(2)
  expect(lengths.every(length => Number(length) > png.length)).toBe(true)
})

const unread = (cause: string) => ({ outcome: 'refused', code: 'generation_unavailable', cause: `not sent: ${cause}`, inputsUnread: true })

test('a copy that our store doesn’t give, or not to its end, is our own fault', async () => {
  expect(await storage({ ours: () => new Response(png, { status: 404 }) }).upload(media('image_url'))).toEqual(
    unread('our store answered 404 to an input') as never,
  )
  const broken = brokenStore()
  expect(await storage().upload(broken.media)).toMatchObject({
    ...{ outcome: 'refused', inputsUnread: true },
    cause: expect.stringContaining('not sent: PixVerse’s upload: '),
  })
  broken.stop()
})

test('an image that PixVerse refuses is refused, by its content rules or by anything else, and nothing was bought', async () => {
  const uploadTo = (theirs: () => Response) => storage({ theirs }).upload(media('image_url'))
  const refused = { outcome: 'refused', code: 'generation_unavailable' }
  expect(await uploadTo(() => told(null, 500063))).toEqual({
    ...{ outcome: 'refused', code: 'prompt_rejected', cause: 'not sent: an input’s upload: answered 200 500063' },
  })
  expect(await uploadTo(() => told(null, 500030))).toEqual({
    ...refused,
    cause: 'not sent: an input’s upload: answered 200 500030',
  } as never)
  expect(await uploadTo(() => Response.json({ ErrCode: 10001 }, { status: 401 }))).toMatchObject(refused)
  for (const theirs of [() => told({}), () => told({ img_id: '7' }), () => told({ img_id: 0 }), () => told(null, 99999)])
    expect(await uploadTo(theirs)).toEqual({
      ...refused,
      cause: 'not sent: PixVerse’s upload answered 200 without an id',
      inputsUnread: false,
    } as never)
  expect(await uploadTo(() => new Response('<html>', { status: 502 }))).toMatchObject({ ...refused, inputsUnread: false })
})

test('a PixVerse that doesn’t answer in time, or at all, is not our fault', async () => {
  const never = () => new Promise<Response>(() => {})
  expect(await storage({ theirs: never }).upload(media('image_url'))).toMatchObject({ outcome: 'refused', inputsUnread: false })
})
