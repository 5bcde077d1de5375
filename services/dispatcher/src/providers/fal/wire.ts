import { type Static, Type } from '@sinclair/typebox'
import { TypeCompiler } from '@sinclair/typebox/compiler'
import { videoUrlsIn } from '../results/videos'

/**
 * fal's answers, as its published clients read them (@fal-ai/client 1.10.1 types/common.d.ts, fal-client 1.0.3) and as its documents show them:
 * fal.ai/docs/documentation/model-apis/inference/queue, …/errors, …/request-errors.
 */

/** An id goes into URLs and rows. fal's are UUIDs; anything else of letters, digits, - and _ is taken as well. */
const Id = Type.String({ pattern: '^[A-Za-z0-9_-]{1,100}$' })

export const acceptedForm = TypeCompiler.Compile(Type.Object({ request_id: Id }))

const Status = Type.Object({
  status: Type.String({ maxLength: 100 }),
  request_id: Type.Optional(Type.String({ maxLength: 200 })),
  /** Beside IN_QUEUE; nothing is decided by it. */
  queue_position: Type.Optional(Type.Unknown()),
  /** Of a request that has failed: words, and what kind of failure. */
  error: Type.Optional(Type.Unknown()),
  error_type: Type.Optional(Type.Unknown()),
})
export type Status = Static<typeof Status>
export const statusForm = TypeCompiler.Compile(Status)

const outputForm = TypeCompiler.Compile(Type.Object({ video: Type.Optional(Type.Unknown()), videos: Type.Optional(Type.Unknown()) }))

/** `video`, or a list of `videos` at endpoints that can make several. */
export const outputUrlsOf = (body: unknown): string[] =>
  outputForm.Check(body) ? [...new Set([...videoUrlsIn(body.video, 'url'), ...videoUrlsIn(body.videos, 'url')])] : []

/** One of a model's errors; `loc` ends in the field that it is about. */
export type ModelError = { type: string; loc: (string | number)[] }
const modelErrorsForm = TypeCompiler.Compile(
  Type.Object({
    detail: Type.Array(
      Type.Object({
        type: Type.String({ pattern: '^[A-Za-z0-9_.-]{1,100}$' }),
        loc: Type.Optional(Type.Array(Type.Union([Type.String({ maxLength: 100 }), Type.Number()]), { maxItems: 20 })),
      }),
      { minItems: 1, maxItems: 100 },
    ),
  }),
)

/** What a model says is wrong with what it was given, or made; none where the answer is not of that form. */
export const modelErrorsOf = (body: unknown): ModelError[] =>
  modelErrorsForm.Check(body) ? body.detail.map(({ type, loc = [] }) => ({ type, loc })) : []

const word = /^[A-Za-z0-9_.-]{1,100}$/
/** A word of fal's for a kind of failure, where it is one that a log and a row can hold. */
export const wordOf = (value: unknown): string | undefined => (typeof value === 'string' && word.test(value) ? value : undefined)

const errorTypeForm = TypeCompiler.Compile(Type.Object({ error_type: Type.String() }))
export const errorTypeOf = (body: unknown): string | undefined => (errorTypeForm.Check(body) ? wordOf(body.error_type) : undefined)
