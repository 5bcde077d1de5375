import { type Static, Type } from '@sinclair/typebox'
import { TypeCompiler } from '@sinclair/typebox/compiler'

/**
 * DashScope's answers, as Model Studio's pages of Wan show them (help.aliyun.com/zh/model-studio/legacy-wan-text-to-video-api-reference,
 * …/legacy-image-to-video-api-reference, …/wan3-video-generation-api-reference) and as its own client reads them (dashscope 2.0.2).
 */

/** An id goes into URLs and rows. DashScope's are UUIDs; anything else of letters, digits, - and _ is taken as well. */
const Id = Type.String({ pattern: '^[A-Za-z0-9_-]{1,100}$' })

export const acceptedForm = TypeCompiler.Compile(Type.Object({ output: Type.Object({ task_id: Id }) }))

const Task = Type.Object({
  /** Of a failed task, where a paying integrator reads it before the one in `output` (Comfy-Org/docs, router-schemas/wan). */
  code: Type.Optional(Type.Unknown()),
  message: Type.Optional(Type.Unknown()),
  output: Type.Object({
    task_status: Type.String({ maxLength: 100 }),
    task_id: Type.Optional(Type.String({ maxLength: 200 })),
    video_url: Type.Optional(Type.Unknown()),
    code: Type.Optional(Type.Unknown()),
    message: Type.Optional(Type.Unknown()),
  }),
  usage: Type.Optional(Type.Unknown()),
})
export type Task = Static<typeof Task>
export const taskForm = TypeCompiler.Compile(Task)

const secondsForm = TypeCompiler.Compile(Type.Object({ output_video_duration: Type.Number(), input_video_duration: Type.Number() }))
const durationForm = TypeCompiler.Compile(Type.Object({ duration: Type.Unknown() }))

/** Of the video and of the reference videos, which are what is billed; older models tell `duration` alone. Read by billedUnits. */
export function secondsOf({ usage }: Task): unknown {
  if (secondsForm.Check(usage)) return usage.output_video_duration + usage.input_video_duration
  return durationForm.Check(usage) ? usage.duration : undefined
}

/** Printable ASCII, as a URL on the wire is; a row can't hold every other string. Anything else is as good as no URL. */
const urlForm = /^https?:\/\/[!-~]{1,4096}$/
export const outputUrlOf = ({ output: { video_url: url } }: Task): string | undefined =>
  typeof url === 'string' && urlForm.test(url) ? url : undefined

/** Why something was refused or failed: a word of its error codes, and what it says of that. */
export type Fault = { code: string; message: string }

const faultForm = TypeCompiler.Compile(Type.Object({ code: Type.Unknown(), message: Type.Optional(Type.Unknown()) }))
const envelopeForm = TypeCompiler.Compile(Type.Object({ error: Type.Unknown() }))
const codeForm = /^[A-Za-z0-9_.-]{1,100}$/

/** `{code, message}`, as it is or within `error`, as some of its hosts have it (second-hand). Undefined where there is no code. */
export function faultOf(body: unknown): Fault | undefined {
  const own = envelopeForm.Check(body) ? body.error : body
  if (!faultForm.Check(own)) return undefined
  const { code, message } = own
  if (typeof code !== 'string' || !codeForm.test(code)) return undefined
  return { code, message: typeof message === 'string' ? message : '' }
}
