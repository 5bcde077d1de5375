import { type Static, Type } from '@sinclair/typebox'
import { TypeCompiler } from '@sinclair/typebox/compiler'

/** A provider's id goes into URLs and rows: printable ASCII without a comma, or it is no id. */
const Id = Type.String({ pattern: '^[!-+\\--~]{1,200}$' })

const Generation = Type.Object({
  id: Id,
  client_task_id: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  status: Type.String({ maxLength: 100 }),
  queue_position: Type.Optional(Type.Unknown()),
  progress: Type.Optional(Type.Unknown()),
  /** Read by outputUrlOf. */
  output_url: Type.Optional(Type.Unknown()),
  error: Type.Optional(Type.Object({ code: Type.Optional(Type.String({ maxLength: 100 })) })),
})
export type Generation = Static<typeof Generation>

export const acceptedForm = TypeCompiler.Compile(
  Type.Object({ id: Id, client_task_id: Type.Optional(Type.Union([Type.String(), Type.Null()])) }),
)
export const generationsForm = TypeCompiler.Compile(Type.Object({ data: Type.Array(Type.Unknown()) }))
export const generationForm = TypeCompiler.Compile(Generation)

/** Printable ASCII, as a URL on the wire is; a row can't hold every other string. Anything else is as good as no URL. */
const urlForm = /^[!-~]{1,4096}$/
export const outputUrlOf = ({ output_url: url }: Generation): string | undefined =>
  typeof url === 'string' && urlForm.test(url) ? url : undefined
const code = Type.String({ pattern: '^[A-Za-z0-9_.-]{1,100}$' })
const errorForm = TypeCompiler.Compile(Type.Object({ error: Type.Object({ code }) }))

export const errorCode = (body: unknown): string => (errorForm.Check(body) ? body.error.code : 'no code')
