import { Failure } from '../../failure'
import type { FetchReason } from '../fetch-policy'

/** The first lines of an answer. Names are in small letters; a name that comes twice has two values. */
export type AnswerHead = { minorVersion: number; status: number; fields: Map<string, string[]> }

const statusLine = /^HTTP\/1\.([01]) ([0-9]{3})(?: .*)?$/
const fieldLine = /^([!#$%&'*+.^_`|~0-9a-z-]+):(.*)$/i
// biome-ignore lint/suspicious/noControlCharactersInRegex: no value of an honest field has them
const controls = /[\u0000-\u0008\u000a-\u001f\u007f]/

/** Where the head ends in these bytes, behind its empty line; -1 where that has not come yet. Looks on from `from`. */
export function headEnd(bytes: Buffer, from: number): number {
  for (let at = bytes.indexOf(0x0a, from); at >= 0; at = bytes.indexOf(0x0a, at + 1)) {
    if (bytes[at + 1] === 0x0a) return at + 2
    if (bytes[at + 1] === 0x0d && bytes[at + 2] === 0x0a) return at + 3
  }
  return -1
}

/**
 * Reads a head as RFC 9112 has it, a bare line feed and folded lines allowed. A character of a value is a byte: what it means is for whoever
 * uses it. Throws `answer_invalid`.
 */
export function parseHead(bytes: Buffer): AnswerHead {
  const [first = '', ...rest] = bytes.toString('latin1').split(/\r?\n/)
  const [, minorVersion, status] = statusLine.exec(first) ?? invalid('no status line')
  const fields = new Map<string, string[]>()
  for (const line of unfolded(rest)) {
    const [, name = '', value = ''] = fieldLine.exec(line) ?? invalid('a line that is no field')
    if (controls.test(value)) invalid('control characters in a field')
    fields.set(name.toLowerCase(), [...(fields.get(name.toLowerCase()) ?? []), trimmed(value)])
  }
  return { minorVersion: Number(minorVersion), status: Number(status), fields }
}

/** A line that begins with white space goes on with the one before. */
function unfolded(lines: string[]): string[] {
  const whole: string[] = []
  for (const line of lines.filter(text => text !== '')) {
    if (/^[ \t]/.test(line) && whole.length > 0) whole.push(`${whole.pop()} ${trimmed(line)}`)
    else whole.push(line)
  }
  return whole
}

/** Without the white space of HTTP. `trim` would take bytes of characters for some, and a pattern tries every run of spaces. */
function trimmed(text: string): string {
  let [from, to] = [0, text.length]
  while (from < to && isBlank(text[from])) from += 1
  while (to > from && isBlank(text[to - 1])) to -= 1
  return text.slice(from, to)
}

const isBlank = (character: string | undefined): boolean => character === ' ' || character === '\t'

export function invalid(internal: string): never {
  throw new Failure<FetchReason>('answer_invalid', { internal })
}
