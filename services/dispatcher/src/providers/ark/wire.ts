import { type Static, Type } from '@sinclair/typebox'
import { TypeCompiler } from '@sinclair/typebox/compiler'

/**
 * Ark's answers, as its published client reads them (volcengine-ark-runtime 5.0.54, types/content_generation) and as its pages show them:
 * docs.byteplus.com/en/docs/ModelArk/1520757 (create), …/1521309 (retrieve), …/1521675 (list), volcengine.com/docs/82379/1299023 (errors).
 */

/** An id goes into URLs and rows. Ark's are `cgt-20250629201507-n6k56`; anything else of letters, digits, - and _ is taken as well. */
const Id = Type.String({ pattern: '^[A-Za-z0-9_-]{1,100}$' })
/** What a submit said for it comes back as it was. */
const SafetyIdentifier = Type.Optional(Type.Union([Type.String({ maxLength: 200 }), Type.Null()]))

export const acceptedForm = TypeCompiler.Compile(Type.Object({ id: Id, safety_identifier: SafetyIdentifier }))

const Task = Type.Object({
  id: Id,
  status: Type.String({ maxLength: 100 }),
  safety_identifier: SafetyIdentifier,
  /** Read by outputUrlOf. */
  content: Type.Optional(Type.Unknown()),
  /** Read by errorOf. */
  error: Type.Optional(Type.Unknown()),
  usage: Type.Optional(Type.Unknown()),
})
export type Task = Static<typeof Task>
const taskForm = TypeCompiler.Compile(Task)

const usageForm = TypeCompiler.Compile(Type.Object({ completion_tokens: Type.Number() }))
/** What is billed of a video, in a unit whose price is whole millionths of a dollar; undefined where a task says nothing of it. */
export const thousandTokensOf = ({ usage }: Task): number | undefined =>
  usageForm.Check(usage) ? usage.completion_tokens / 1_000 : undefined

const listForm = TypeCompiler.Compile(
  Type.Object({ items: Type.Union([Type.Array(Type.Unknown()), Type.Null()]), total: Type.Optional(Type.Unknown()) }),
)

/** `whole`: false where something in the list is no task, or more was found than is in it. It may be the one that was asked about. */
export type Listed = { found: Task[]; whole: boolean }

/** Undefined where a body is no list. */
export function listedIn(body: unknown): Listed | undefined {
  if (!listForm.Check(body)) return undefined
  const items = body.items ?? []
  const found = items.filter(one => taskForm.Check(one))
  const isAll = typeof body.total !== 'number' || body.total <= items.length
  return { found, whole: isAll && found.length === items.length }
}

/** The attempt's id where it was sent as safety_identifier; null where there is none. */
export const ownIdIn = ({ safety_identifier: own }: Pick<Task, 'safety_identifier'>): string | null => own || null

const contentForm = TypeCompiler.Compile(Type.Object({ video_url: Type.String() }))
/** Printable ASCII, as a URL on the wire is; a row can't hold every other string. Anything else is as good as no URL. */
const urlForm = /^https?:\/\/[!-~]{1,4096}$/
export const outputUrlOf = ({ content }: Task): string | undefined =>
  contentForm.Check(content) && urlForm.test(content.video_url) ? content.video_url : undefined

/** What was refused or failed. `code` is one of the page of errors, where a dot may be followed by what it is about. */
export type ArkError = { code: string; message: string }
const errorForm = TypeCompiler.Compile(
  Type.Object({ code: Type.String({ pattern: '^[A-Za-z0-9_.[\\]-]{1,200}$' }), message: Type.Optional(Type.Unknown()) }),
)
export const errorOf = (error: unknown): ArkError | undefined =>
  errorForm.Check(error) ? { code: error.code, message: typeof error.message === 'string' ? error.message : '' } : undefined

const refusedForm = TypeCompiler.Compile(Type.Object({ error: Type.Unknown() }))
export const errorIn = (body: unknown): ArkError | undefined => (refusedForm.Check(body) ? errorOf(body.error) : undefined)
