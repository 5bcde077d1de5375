import { rename } from 'node:fs/promises'
import { Type } from '@sinclair/typebox'
import { TypeCompiler } from '@sinclair/typebox/compiler'
import { Elysia } from 'elysia'
import { isKeyOf } from '../engine/serve'
import { badKey, inputAnswer, notFound } from './answers'
import { falKeyFault } from './routes'
import type { FalFile, FalStorage } from './storage'

export type FalStorageDeps = { storage: FalStorage; key: string; publicUrl: string | undefined }

/** fal's client sends what is longer in parts, which this fake doesn't take. */
const fileBytesMax = 90 * 1_048_576

const askForm = TypeCompiler.Compile(
  Type.Object(
    {
      content_type: Type.String({ pattern: '^[a-z]+/[A-Za-z0-9.+-]+$', maxLength: 100 }),
      file_name: Type.String({ pattern: '^[^/]{1,200}$' }),
    },
    { additionalProperties: false },
  ),
)
const lifecycleForm = TypeCompiler.Compile(
  Type.Object(
    { expiration_duration_seconds: Type.Optional(Type.Integer({ minimum: 1 })), initial_acl: Type.Optional(Type.Object({})) },
    { additionalProperties: false },
  ),
)

/** At fal `initiate` is under https://rest.fal.ai, and the addresses that it gives are elsewhere. */
export const falStorageFace = (deps: FalStorageDeps) =>
  new Elysia({ name: 'fal-storage', prefix: '/fal', normalize: false })
    .post(
      '/storage/upload/initiate',
      async function initiateFalUpload({ query, request }) {
        if (falKeyFault(request.headers, given => isKeyOf(deps, given))) return Response.json(badKey.body, { status: badKey.status })
        const asked = await readAsked(query, request)
        if (typeof asked === 'string') {
          const { body, status } = inputAnswer([{ loc: ['body', asked], msg: 'Not as it has to be', type: 'value_error' }])
          return Response.json(body, { status })
        }
        const id = deps.storage.open(asked)
        const base = `${deps.publicUrl ?? new URL(request.url).origin}/fal/storage`
        return { upload_url: `${base}/uploads/${id}?signature=${id}`, file_url: `${base}/files/${id}/${encodeURIComponent(asked.name)}` }
      },
      { parse: 'none' },
    )
    // The address is all that a caller needs.
    .put(
      '/storage/uploads/:id',
      async function putFalUpload({ params, query, request, server }) {
        server?.timeout(request, 0)
        const file = deps.storage.find(params.id)
        if (!file || query.signature !== params.id) return new Response(null, { status: 403 })
        return new Response(null, { status: await keep(file, request) })
      },
      { parse: 'none' },
    )
    .get('/storage/files/:id/:name', function getFalFile({ params }) {
      const file = deps.storage.find(params.id)
      if (!file?.isThere || file.name !== params.name) return Response.json(notFound.body, { status: 404 })
      return new Response(Bun.file(file.path), { headers: { 'content-type': file.contentType } })
    })

/** What was asked for, or the name of what is wrong with it. */
async function readAsked(query: Record<string, string>, request: Request) {
  if (JSON.stringify(query) !== '{"storage_type":"fal-cdn-v3"}') return 'query'
  const body: unknown = await request.json().catch(() => undefined)
  if (!askForm.Check(body)) return 'content_type or file_name'
  const lifecycle = parsed(request.headers.get('x-fal-object-lifecycle') ?? '{}')
  if (!lifecycleForm.Check(lifecycle)) return 'x-fal-object-lifecycle'
  return { contentType: body.content_type, name: body.file_name, keptSeconds: lifecycle.expiration_duration_seconds }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The status of a PUT: a store says how long a file is before it takes it, and of what type it was said to be. */
async function keep(file: FalFile & { path: string; part: string }, request: Request): Promise<number> {
  const declared = request.headers.get('content-length')
  if (declared === null) return 411
  if (Number(declared) > fileBytesMax) return 413
  if (request.headers.get('content-type') !== file.contentType) return 403
  const written = await Bun.write(file.part, new Response(request.body))
  if (written !== Number(declared)) return 400
  await rename(file.part, file.path)
  return 200
}
