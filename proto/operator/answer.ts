import { type Static, type TSchema, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'

export const nullable = <S extends TSchema>(schema: S) => Type.Union([schema, Type.Null()])
/** A field that 0.1.0 does not answer: both versions run beside each other for some seconds. */
export const added = <S extends TSchema>(schema: S) => Type.Optional(schema)
export const text = Type.String()
export const textOrNull = nullable(text)
export const number = Type.Number()
export const numberOrNull = nullable(number)
/** RFC 3339, in UTC. */
export const time = Type.String()
export const timeOrNull = nullable(time)

/** A page has `next_cursor`; a list without it is whole. */
export const listOf = <S extends TSchema>(row: S) => Type.Object({ data: Type.Array(row), next_cursor: Type.Optional(textOrNull) })
export type Listed<T> = { data: T[]; next_cursor?: string | null }

export type ReadAnswer<T> = { ok: true; value: T } | { ok: false; fault: string }

/**
 * The answer where it has this form, else the first part of it that does not fit. Fields that only a later version has
 * are no fault.
 */
export function readAnswer<S extends TSchema>(schema: S, answer: unknown): ReadAnswer<Static<S>> {
  if (Value.Check(schema, answer)) return { ok: true, value: answer }
  const first = Value.Errors(schema, answer).First()
  return { ok: false, fault: `${first?.path.slice(1).replaceAll('/', '.') || 'the whole'}: ${first?.message ?? 'does not fit'}` }
}
