import { Type } from '@sinclair/typebox'

/** Whether a row, a JSON text and a protobuf message can all hold it: no NUL, and no half of a surrogate pair. */
export const isText = (value: string): boolean => value.isWellFormed() && !value.includes('\0')

/** Names and reasons of operators, which are printed on terminals and in logs: without control characters. */
export const words = (charactersMax: number, charactersMin = 1) =>
  Type.String({ minLength: charactersMin, maxLength: charactersMax, pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f]*$' })

/** An id that a caller gives: any of ours, or one that a provider made. */
export const id = Type.String({ minLength: 1, maxLength: 200, pattern: '^[!-~]+$' })

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** The runtime reads a header a character a byte; what was sent as UTF-8 is read as that. */
export function headerText(value: string): string {
  try {
    return utf8.decode(Buffer.from(value, 'latin1'))
  } catch {
    return value
  }
}
