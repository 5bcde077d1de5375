import { createHash, timingSafeEqual } from 'node:crypto'
import { Elysia } from 'elysia'
import { type ReadDeps, read } from '../generation/read'
import { cutConnection } from '../generation/routes'
import { type Answer, badKey, balanceAnswer, refusalAnswer, refused, told, videoAnswer } from './answers'
import type { Images } from './images'
import { type SubmitVideoDeps, submitVideo } from './submit-video'

export type PixverseDeps = SubmitVideoDeps & Omit<ReadDeps, 'origin'> & { images: Images; key: string; publicUrl: string | undefined }

/** Beyond them the oldest are forgotten. */
const rememberedMax = 10_000

/**
 * The simulator in PixVerse's format, under /pixverse/openapi/v2 in the place of https://app-api.pixverse.ai/openapi/v2: the same generations, and the
 * same lies. A request under a trace id that was answered before is answered as then.
 */
export function pixverseFace(deps: PixverseDeps) {
  const remembered = new Map<string, Answer>()
  const originOf = (request: Request): string => deps.publicUrl ?? new URL(request.url).origin

  async function once(request: Request, answer: () => Promise<Answer>): Promise<Response> {
    const traceId = request.headers.get('ai-trace-id') ?? ''
    const before = remembered.get(traceId)
    const given = before ?? (await answer())
    if (!before && given.status === 200) remembered.set(traceId, given)
    const [oldest] = remembered.keys()
    if (remembered.size > rememberedMax && oldest !== undefined) remembered.delete(oldest)
    return shown(given)
  }

  return (
    new Elysia({ name: 'pixverse', prefix: '/pixverse', normalize: false })
      .post(
        '/openapi/v2/video/:kind/generate',
        function postPixverseVideo({ params, request, server }) {
          // An answer may be later than the server keeps an idle connection.
          server?.timeout(request, 0)
          return asPixverse(deps, request, async traceId => {
            const input: unknown = await request.json().catch(() => undefined)
            const answer = await submitVideo(deps, { kind: params.kind, input, traceId, origin: originOf(request) })
            if (answer === 'dropped') return cutConnection()
            if (answer === 'bad_json') return new Response('{"ErrCode":0,', { headers: { 'content-type': 'application/json' } })
            return shown(answer)
          })
        },
        { parse: 'none' },
      )
      .post(
        '/openapi/v2/image/upload',
        function postPixverseImage({ request }) {
          return asPixverse(deps, request, () => once(request, () => keep(deps, request, originOf(request))))
        },
        { parse: 'none' },
      )
      .get('/openapi/v2/video/result/:id', function getPixverseVideo({ params, request }) {
        return asPixverse(deps, request, () => once(request, async () => tell(deps, params.id, originOf(request))))
      })
      .get('/openapi/v2/account/balance', function getPixverseBalance({ request }) {
        return asPixverse(deps, request, () => once(request, async () => balanceAnswer))
      })
      // For everybody, as its outputs are.
      .get('/images/:id', function getPixverseImage({ params }) {
        const image = deps.images.find(Number(params.id))
        if (!image) return new Response(null, { status: 404 })
        return new Response(Bun.file(image.path), { headers: { 'content-type': image.contentType } })
      })
  )
}

const shown = ({ status, body }: Answer): Response => Response.json(body, { status })

const uuidForm = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** With the key, in a header of its own, and a trace id that is a UUID. */
async function asPixverse(deps: PixverseDeps, request: Request, answer: (traceId: string) => Promise<Response>): Promise<Response> {
  if (!mayAsk(deps, request)) return shown(badKey)
  const traceId = request.headers.get('ai-trace-id') ?? ''
  if (!uuidForm.test(traceId)) return shown(refused(400017))
  try {
    return await answer(traceId)
  } catch (error) {
    const refusal = refusalAnswer(error)
    if (!refusal) throw error
    return shown(refusal)
  }
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
const mayAsk = ({ key }: PixverseDeps, { headers }: Request): boolean => timingSafeEqual(digest(headers.get('api-key') ?? ''), digest(key))

const imageTypes = ['image/png', 'image/jpeg', 'image/jpg', 'image/webp']

async function keep({ images }: PixverseDeps, request: Request, origin: string): Promise<Answer> {
  if (request.headers.get('content-length') === null) return refused(400013)
  const form = await request.formData().catch(() => undefined)
  const [[name, file] = [], ...more] = [...(form?.entries() ?? [])]
  if (name !== 'image' || !(file instanceof File) || more.length > 0) return refused(400017)
  if (!imageTypes.includes(file.type)) return refused(500032)
  const id = images.keep({ bytes: new Uint8Array(await file.arrayBuffer()), contentType: file.type })
  return told({ img_id: id, img_url: `${origin}/pixverse/images/${id}` })
}

function tell(deps: PixverseDeps, id: string, origin: string): Answer {
  const generation = deps.store.find(id)
  if (generation?.face?.name !== 'pixverse') return refused(500008)
  return videoAnswer(read({ ...deps, origin }, id), generation)
}
