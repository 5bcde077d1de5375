import { type Static, type TSchema, Type } from '@sinclair/typebox'
import { TypeCompiler } from '@sinclair/typebox/compiler'

/**
 * MiniMax's answers, as its reference has them (platform.minimax.io/docs/api-reference): video-generation-v2-create, -v2-query and -v2-list for
 * H3, video-generation-t2v, -query and -download for Hailuo, errorcode for the codes of both. mmx-cli 1.0.27, its own client, reads them so.
 */

const optional = <T extends TSchema>(type: T) => Type.Optional(Type.Union([type, Type.Null()]))
/** Some ids are numbers in one answer and text in another. */
const AnyId = Type.Union([Type.String({ maxLength: 200 }), Type.Number()])

/** An id goes into URLs and rows. MiniMax's are digits; a refusal may have an empty one, or 0. */
const acceptedForm = TypeCompiler.Compile(Type.Object({ task_id: Type.String({ pattern: '^(?!0*$)[A-Za-z0-9_-]{1,100}$' }) }))
export const taskIdOf = (body: unknown): string | undefined => (acceptedForm.Check(body) ? body.task_id : undefined)

const refusalForm = TypeCompiler.Compile(
  Type.Object({ base_resp: Type.Object({ status_code: Type.Integer(), status_msg: optional(Type.String()) }) }),
)
const errorForm = TypeCompiler.Compile(
  Type.Object({ error: Type.Object({ type: Type.String({ maxLength: 100 }), message: optional(Type.String()) }) }),
)

/** What an answer says of its call. `code`: MiniMax's own, 0 where all is well; `type`: of an error of H3's; `words`: for whoever reads them. */
export type Stated = { code?: number; type?: string; words: string }

/** Hailuo says a code with every answer; H3 says it with errors alone, at the end of their words. */
export function statedIn(body: unknown): Stated {
  if (errorForm.Check(body)) {
    const words = body.error.message ?? ''
    const [, code] = /\((\d{4,6})\)\s*$/.exec(words) ?? []
    return { type: body.error.type, words, ...(code !== undefined && { code: Number(code) }) }
  }
  if (!refusalForm.Check(body)) return { words: '' }
  return { code: body.base_resp.status_code, words: body.base_resp.status_msg ?? '' }
}

const Task = Type.Object({
  id: Type.String({ maxLength: 200 }),
  model: Type.String({ maxLength: 200 }),
  status: Type.String({ maxLength: 100 }),
  /** Read by videoUrlsIn. */
  content: Type.Optional(Type.Unknown()),
  error: optional(Type.Object({ code: Type.Optional(Type.Unknown()) })),
  usage: Type.Optional(Type.Unknown()),
})
export type Task = Static<typeof Task>
const usageForm = TypeCompiler.Compile(Type.Object({ total_seconds: Type.Unknown() }))
/** Seconds of the video and of the reference videos, which are what is billed; read by billedUnits. */
export const secondsOf = ({ usage }: Task): unknown => (usageForm.Check(usage) ? usage.total_seconds : undefined)

/** H3's answer to a query. */
export const taskForm = TypeCompiler.Compile(Type.Object({ task: Task }))
/** H3's tasks of the last seven days. */
export const listForm = TypeCompiler.Compile(Type.Object({ items: Type.Array(Type.Unknown()) }))

/** Hailuo's answer to a query; `file_id` is empty until the video is there. */
export const statusForm = TypeCompiler.Compile(
  Type.Object({
    task_id: AnyId,
    status: Type.String({ maxLength: 100 }),
    file_id: optional(AnyId),
    base_resp: Type.Object({ status_code: Type.Integer() }),
  }),
)

const fileForm = TypeCompiler.Compile(Type.Object({ file: Type.Object({ file_id: AnyId, download_url: Type.Optional(Type.Unknown()) }) }))

/** Of the file that was asked for; undefined where an answer is about none, or about another. */
export function fileOf(body: unknown, fileId: string): { url: unknown } | undefined {
  if (!fileForm.Check(body)) return undefined
  const { file_id: id, download_url: url } = body.file
  // A number beyond these may have lost its last digits on the way.
  const isComparable = typeof id === 'string' || Number.isSafeInteger(id)
  return isComparable && String(id) !== fileId ? undefined : { url }
}

/** Digits in both forms; undefined where there is no file yet. */
export function fileIdOf(fileId: string | number | null | undefined): string | undefined {
  const id = String(fileId ?? '')
  return /^(?!0*$)[A-Za-z0-9_-]{1,100}$/.test(id) ? id : undefined
}

/** A code of a failed task of H3's is text. */
export const codeOf = ({ error }: Task): number | undefined => (/^\d{4,6}$/.test(String(error?.code)) ? Number(error?.code) : undefined)
