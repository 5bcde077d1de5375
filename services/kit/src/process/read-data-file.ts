import { readFileSync } from 'node:fs'
import type { Static, TSchema } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'

/** `path`: a JSON pointer to what does not fit, such as `/routes/0/cost`. */
export type Mismatch = { path: string; message: string }
/** The data, or why there is none: the file can't be read as YAML or JSON, or does not fit its schema. */
export type DataFile<T> = { data: T } | { unreadable: string } | { mismatches: Mismatch[] }

/** Reads a file in YAML or JSON. */
export function readDataFile<S extends TSchema>(path: string, schema: S): DataFile<Static<S>> {
  let data: unknown
  try {
    data = Bun.YAML.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    return { unreadable: error instanceof Error ? error.message : String(error) }
  }
  return Value.Check(schema, data) ? { data } : { mismatches: [...Value.Errors(schema, data)] }
}
