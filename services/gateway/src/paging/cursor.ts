import { isText } from '@filmgate/kit/request/text'
import type { ParameterReader } from './read-query'

/** Where a page ended, as a text that clients send back and don't look into. */
export const writeCursor = (position: string[]): string => Buffer.from(JSON.stringify(position)).toString('base64url')

/** `read` makes a position of the texts that were written, or returns undefined where they are none. */
export const cursor =
  <T>(read: (texts: string[]) => T | undefined): ParameterReader<T | undefined> =>
  raw => {
    if (raw === null) return undefined
    const position = raw.length <= cursorCharactersMax ? read(parse(raw)) : undefined
    if (position === undefined) throw new Error('must be the next_cursor of a page before')
    return position
  }

const cursorCharactersMax = 400

function parse(raw: string): string[] {
  try {
    const texts: unknown = JSON.parse(Buffer.from(raw, 'base64url').toString())
    return Array.isArray(texts) && texts.every(text => typeof text === 'string' && isText(text)) ? texts : []
  } catch {
    return []
  }
}
