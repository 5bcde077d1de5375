import { type Static, type TSchema, Type } from '@sinclair/typebox'
import { TypeCompiler } from '@sinclair/typebox/compiler'

/**
 * xAI's answers, as its OpenAPI document has them (api.x.ai/api-docs/openapi.json, a copy of which xai-org/xai-sdk-ts holds as
 * spec/openapi.json) and as that client and xai-sdk 1.21.0 read them.
 */

/** An id goes into URLs and rows. xAI's are UUIDs; anything else of letters, digits, - and _ is taken as well. */
const Id = Type.String({ pattern: '^[A-Za-z0-9_-]{1,100}$' })
export const startedForm = TypeCompiler.Compile(Type.Object({ request_id: Id }))

const orNull = <T extends TSchema>(type: T) => Type.Optional(Type.Union([type, Type.Null()]))

const Result = Type.Object({
  /** Older answers have none beside a video. */
  status: orNull(Type.String({ maxLength: 100 })),
  video: orNull(
    Type.Object({
      /** Empty where the video was withheld; read by outputUrlOf. */
      url: Type.Optional(Type.Unknown()),
      respect_moderation: Type.Optional(Type.Unknown()),
    }),
  ),
  /** Why it failed. */
  error: Type.Optional(Type.Unknown()),
  /** Why the input was refused: in the schemas of Comfy Router, in no document of xAI's. */
  block_reason: Type.Optional(Type.Unknown()),
})
export type Result = Static<typeof Result>
const resultForm = TypeCompiler.Compile(Result)

/** Undefined where a body says nothing of a video. */
export const resultOf = (body: unknown): Result | undefined =>
  resultForm.Check(body) && (typeof body.status === 'string' || body.video) ? body : undefined

/** Printable ASCII, as a URL on the wire is; a row can't hold every other string. Anything else is as good as no URL. */
const urlForm = /^https?:\/\/[!-~]{1,4096}$/
export const outputUrlOf = ({ video }: Result): string | undefined =>
  typeof video?.url === 'string' && urlForm.test(video.url) ? video.url : undefined

const usageForm = TypeCompiler.Compile(Type.Object({ usage: Type.Object({ cost_in_usd_ticks: Type.Number() }) }))
const ticksPerUsd = 10_000_000_000

/** Of a video, and of an error that withholds one (second-hand); undefined where an answer says nothing of it. */
export const costUsdOf = (body: unknown): number | undefined =>
  usageForm.Check(body) ? body.usage.cost_in_usd_ticks / ticksPerUsd : undefined

/** `text` names our team and key at xAI: it is read and never shown. */
export type XaiError = { code: string; text: string }

const Code = Type.Optional(Type.Unknown())
const flatForm = TypeCompiler.Compile(Type.Object({ code: Code, error: Type.String() }))
const nestedForm = TypeCompiler.Compile(Type.Object({ error: Type.Object({ code: Code, message: Type.String() }) }))

/** Codes are words (`not-found`), numbers, or sentences (`Client specified an invalid argument`). */
const codeForm = /^[A-Za-z0-9_.:-][A-Za-z0-9_.: -]{0,99}$/
const codeOf = (code: unknown): string => (codeForm.test(String(code ?? '')) ? String(code) : 'no code')

/** What is wrong, in either form that xAI's errors have; undefined where an answer has neither. */
export function errorOf(body: unknown): XaiError | undefined {
  if (flatForm.Check(body)) return { code: codeOf(body.code), text: body.error }
  if (nestedForm.Check(body)) return { code: codeOf(body.error.code), text: body.error.message }
  return undefined
}
