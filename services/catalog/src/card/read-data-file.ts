import * as files from '@filmgate/kit/process/read-data-file'
import type { Static, TSchema } from '@sinclair/typebox'

/** Reads and validates a YAML or JSON file; `report` gets each mismatch. */
export function readDataFile<S extends TSchema>(
  path: string,
  shape: S,
  report: (field: string, message: string) => void,
): Static<S> | undefined {
  const file = files.readDataFile(path, shape)
  if ('data' in file) return file.data
  if ('unreadable' in file) report('', file.unreadable)
  else for (const mismatch of file.mismatches) report(fieldAt(mismatch.path), mismatch.message.toLowerCase())
  return undefined
}

const fieldAt = (pointer: string): string => pointer.slice(1).replaceAll('~1', '/').replaceAll('/', '.')
