import { type Static, Type } from '@sinclair/typebox'
import { TypeCompiler } from '@sinclair/typebox/compiler'

/**
 * PixVerse's answers, as its pages show them (docs.platform.pixverse.ai: text-to-video-generation, get-video-generation-status, upload-image,
 * error-codes) and its published client reads them (pixverse-mcp 0.2.2, client/base.py and client/pixverse.py): `{ErrCode, ErrMsg, Resp}`, with 200 of
 * HTTP also where the code names a fault.
 */
const Answer = Type.Object({ ErrCode: Type.Integer({ minimum: 0, maximum: 99_999_999 }), Resp: Type.Optional(Type.Unknown()) })
export type Answer = Static<typeof Answer>
export const answerForm = TypeCompiler.Compile(Answer)

/** A number of which every digit was read, or text. An id goes into URLs and rows. */
const Number53 = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })
const Id = Type.Union([Number53, Type.String({ pattern: '^[A-Za-z0-9_-]{1,100}$' })])

/** `credits`: what it costs; read by billedUnits. */
export const submittedForm = TypeCompiler.Compile(Type.Object({ video_id: Id, credits: Type.Optional(Type.Unknown()) }))
export const imageForm = TypeCompiler.Compile(Type.Object({ img_id: Number53 }))

const Video = Type.Object({
  id: Type.Optional(Type.Unknown()),
  status: Type.Integer(),
  /** Read by outputUrlOf. */
  url: Type.Optional(Type.Unknown()),
})
export type Video = Static<typeof Video>
export const videoForm = TypeCompiler.Compile(Video)

/** Printable ASCII, as a URL on the wire is; a row can't hold every other string. Anything else is as good as no URL. */
const urlForm = /^https?:\/\/[!-~]{1,4096}$/
export const outputUrlOf = ({ url }: Video): string | undefined => (typeof url === 'string' && urlForm.test(url) ? url : undefined)

export const codeOf = (body: unknown): number | undefined => (answerForm.Check(body) ? body.ErrCode : undefined)
