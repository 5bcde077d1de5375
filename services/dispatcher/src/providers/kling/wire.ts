import { type Static, Type } from '@sinclair/typebox'
import { TypeCompiler } from '@sinclair/typebox/compiler'
import { videoUrlsIn } from '../results/videos'

/**
 * Kling's answers, API 2.0, as its pages show them: kling.ai/document-api/api/video/3-0-omni/video-omni, “Create Task” and “Query Task”.
 * Kling's pages were read in the copy of 2026-09-20 that github.com/aself101/kling-api keeps; what its author saw live is called so.
 */
const Envelope = Type.Object({ code: Type.Integer(), data: Type.Optional(Type.Unknown()), message: Type.Optional(Type.Unknown()) })
export type Envelope = Static<typeof Envelope>
const envelopeForm = TypeCompiler.Compile(Envelope)
/** Every answer is one, whatever its status of HTTP: a code other than 0 is an error, also with 200. */
export const envelopeOf = (body: unknown): Envelope | undefined => (envelopeForm.Check(body) ? body : undefined)

/** An id goes into URLs and rows. Kling's are of digits; anything else of letters, digits, - and _ is taken as well. */
const Id = Type.String({ pattern: '^[A-Za-z0-9_-]{1,100}$' })
/** `external_task_id` of the submit; absent, null or empty where it had none. */
const ExternalId = Type.Optional(Type.Union([Type.String({ maxLength: 200 }), Type.Null()]))

export const acceptedForm = TypeCompiler.Compile(Type.Object({ id: Id, external_id: ExternalId }))

const Task = Type.Object({
  id: Id,
  external_id: ExternalId,
  status: Type.String({ maxLength: 100 }),
  /** Why it failed, in words: there is no code for that. */
  message: Type.Optional(Type.Unknown()),
  /** Read by outputUrlsOf. */
  outputs: Type.Optional(Type.Unknown()),
  /** Read by unitsOf. */
  billing: Type.Optional(Type.Unknown()),
})
export type Task = Static<typeof Task>
const taskForm = TypeCompiler.Compile(Task)

/** `whole`: false where an entry is no task, and may be the one that was asked about. */
export type TaskList = { tasks: Task[]; whole: boolean }

/** The tasks of an answer without an error; undefined where it is none. */
export function readTasks(body: unknown): TaskList | undefined {
  const envelope = envelopeOf(body)
  if (envelope?.code !== 0 || !Array.isArray(envelope.data)) return undefined
  const entries: unknown[] = envelope.data
  const tasks = entries.filter(one => taskForm.Check(one))
  return { tasks, whole: tasks.length === entries.length }
}

/** Our own id that a task repeats; null where it repeats none. */
export const externalIdOf = ({ external_id: id }: Pick<Task, 'external_id'>): string | null => id || null

const outputsForm = TypeCompiler.Compile(Type.Array(Type.Object({ type: Type.String(), url: Type.Optional(Type.Unknown()) })))

/** The videos among what a task made; `url` is the one without a mark, `watermark_url` is not asked for. */
export const outputUrlsOf = ({ outputs }: Task): string[] =>
  outputsForm.Check(outputs)
    ? videoUrlsIn(
        outputs.filter(({ type }) => type === 'video'),
        'url',
      )
    : []

const billingForm = TypeCompiler.Compile(Type.Array(Type.Object({ charge_type: Type.String(), amount: Type.String() }), { minItems: 1 }))

/** What a task took of a package; undefined where it tells nothing, or was paid otherwise. Read by billedUnits. */
export function unitsOf({ billing }: Task): number | undefined {
  if (!billingForm.Check(billing) || billing.some(one => one.charge_type !== 'unit' || !/^\d{1,9}(\.\d{1,9})?$/.test(one.amount)))
    return undefined
  return billing.reduce((sum, { amount }) => sum + Number(amount), 0)
}

const words = /^[ -~]{1,200}$/
/** What a failed task says, where a log and a row can hold it. */
export const messageOf = ({ message }: Pick<Task, 'message'>): string =>
  typeof message === 'string' && words.test(message) ? message : 'no words'
