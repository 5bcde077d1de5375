import { readFileSync } from 'node:fs'
import type { Static, TSchema } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'

/** Reads and validates a YAML or JSON file; `report` gets each mismatch. */
export function readDataFile<S extends TSchema>(
  path: string,
  shape: S,
  report: (field: string, message: string) => void,
): Static<S> | undefined {
  let data: unknown
  try {
    data = Bun.YAML.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    report('', error instanceof Error ? error.message : String(error))
    return undefined
  }
  if (Value.Check(shape, data)) return data
  for (const error of Value.Errors(shape, data)) {
    report(error.path.slice(1).replaceAll('~1', '/').replaceAll('/', '.'), error.message.toLowerCase())
  }
  return undefined
}
