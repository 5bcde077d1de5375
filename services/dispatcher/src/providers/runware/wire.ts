import { type Static, Type } from '@sinclair/typebox'
import { TypeCompiler } from '@sinclair/typebox/compiler'

/**
 * Runware's answers, as its documents show them (runware.ai/docs/platform/task-polling, …/errors) and its published clients read them
 * (runware 0.5.24, GetResponseResult and ApiError of Runware/runware-typescript): `data` and `errors`, a list each, whose entries name their task.
 */
const Answer = Type.Object({ data: Type.Optional(Type.Array(Type.Unknown())), errors: Type.Optional(Type.Array(Type.Unknown())) })
const answerForm = TypeCompiler.Compile(Answer)

const uuid = Type.String({ maxLength: 100 })
const word = Type.String({ pattern: '^[A-Za-z0-9_.-]{1,100}$' })
const Item = Type.Object({
  taskUUID: uuid,
  status: Type.Optional(Type.String({ maxLength: 100 })),
  /** Read by videoUrlsIn. */
  videoURL: Type.Optional(Type.Unknown()),
  /** In percent, of some models; nothing is decided by it. */
  progress: Type.Optional(Type.Unknown()),
  /** US dollars, where includeCost asked for it. Read by billedUsd. */
  cost: Type.Optional(Type.Unknown()),
  error: Type.Optional(Type.Object({ code: Type.Optional(Type.Unknown()) })),
})
export type Item = Static<typeof Item>
const itemForm = TypeCompiler.Compile(Item)

/** `taskUUID` is there where it is about a task; `status` is `error` where the generation failed, and not only this call. */
const TaskError = Type.Object({
  code: word,
  taskUUID: Type.Optional(uuid),
  status: Type.Optional(Type.Unknown()),
  cost: Type.Optional(Type.Unknown()),
})
export type TaskError = Static<typeof TaskError>
const errorForm = TypeCompiler.Compile(TaskError)

/** Errors of HTTP itself stand alone, beside their task: parseApiError of Runware/runware-typescript 1.6.8, src/errors.ts. */
const loneErrorForm = TypeCompiler.Compile(Type.Object({ error: Type.Object({ code: word }), taskUUID: Type.Optional(uuid) }))

/** `whole`: false where an entry is none of these, and may be the one that was asked about. */
export type TaskItems = { items: Item[]; errors: TaskError[]; whole: boolean }

/** Undefined where a body is nothing of Runware's. */
export function readItems(body: unknown): TaskItems | undefined {
  if (loneErrorForm.Check(body)) {
    const { error, taskUUID } = body
    return { items: [], errors: [{ code: error.code, ...(taskUUID !== undefined && { taskUUID }) }], whole: true }
  }
  if (!answerForm.Check(body) || (!body.data && !body.errors)) return undefined
  const { data = [], errors = [] } = body
  const told = { items: data.filter(one => itemForm.Check(one)), errors: errors.filter(one => errorForm.Check(one)) }
  return { ...told, whole: told.items.length === data.length && told.errors.length === errors.length }
}

export const codeOf = ({ error }: Item): string =>
  typeof error?.code === 'string' && /^[A-Za-z0-9_.-]{1,100}$/.test(error.code) ? error.code : 'no code'
