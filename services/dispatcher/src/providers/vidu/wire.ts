import { type Static, Type } from '@sinclair/typebox'
import { TypeCompiler } from '@sinclair/typebox/compiler'

/**
 * Vidu's answers, as its pages show them: platform.vidu.com/docs/text-to-video, …/get-generation, …/tasks-list, …/error-code, …/cancel-generation
 * and …/get-account-info. Its published client (vidu-mcp 0.1.2) reads `task_id`, `state`, `creations[0].url` and `code` of them.
 */

/** An id goes into URLs and rows. Vidu's are digits. */
const Id = Type.String({ pattern: '^[A-Za-z0-9_-]{1,100}$' })
/** What we gave a task to carry; Vidu repeats it as it was. */
const Payload = Type.Optional(Type.String())

const Accepted = Type.Object({ task_id: Id, payload: Payload })
export const acceptedForm = TypeCompiler.Compile(Accepted)

const Task = Type.Object({
  id: Type.Optional(Type.String({ maxLength: 200 })),
  state: Type.String({ maxLength: 100 }),
  /** Read by wordOf. */
  err_code: Type.Optional(Type.Unknown()),
  payload: Payload,
  /** What it cost. Read by billedUnits. */
  credits: Type.Optional(Type.Unknown()),
  /** Read by videoUrlsIn. */
  creations: Type.Optional(Type.Unknown()),
})
export type Task = Static<typeof Task>
export const taskForm = TypeCompiler.Compile(Task)

/** A page of the list of tasks. The page shows no `payload` of an entry; notes of others read one there. */
export const listForm = TypeCompiler.Compile(
  Type.Object({ tasks: Type.Array(Type.Unknown()), next_page_token: Type.Optional(Type.String({ maxLength: 4096 })) }),
)
export const listedForm = TypeCompiler.Compile(Type.Object({ id: Id, payload: Payload }))

export const creditsForm = TypeCompiler.Compile(Type.Object({ remains: Type.Array(Type.Unknown()) }))

/** A word of Vidu's for a fault, where it is one that a log and a row can hold. */
export const wordOf = (value: unknown): string | undefined =>
  typeof value === 'string' && /^[A-Za-z0-9_.-]{1,100}$/.test(value) ? value : undefined

const errorForm = TypeCompiler.Compile(Type.Object({ reason: Type.Unknown() }))
/** `{code, reason, message, metadata}`: the reason is one of the words of error-code. */
export const reasonOf = (body: unknown): string | undefined => (errorForm.Check(body) ? wordOf(body.reason) : undefined)
