import { isText } from './text'

/** A whole string, then the colon that only a key has behind it; what opens, closes or separates; or a number. */
const token = /("[^"\\]*(?:\\.[^"\\]*)*")(\s*:)?|[{}[\],]|(-?\d[\d.eE+-]*)/g

/** Of an object the keys seen so far and the last of them; of a list the place. */
type Level = { keys: Set<string>; key: string } | { index: number }

/** `path` is such as `prompt` or `a[2].b`; `written` is a number as the text has it. */
export type JsonFault = { rule: 'unique_key' | 'well_formed' | 'number_range'; path: string; written?: string }

const faultsMax = 100

/**
 * What parsers take without a word and nobody behind could agree on or keep: a key that stands twice in one object of a valid JSON text,
 * of which they keep the last, a key or a string that is no text (`isText`), and a number that they read as infinite.
 */
export function scanJson(json: string): JsonFault[] {
  const faults: JsonFault[] = []
  const levels: Level[] = []
  for (const [found, string, colon, number] of json.matchAll(token)) {
    const level = levels.at(-1)
    if (found === '{') levels.push({ keys: new Set(), key: '' })
    else if (found === '[') levels.push({ index: 0 })
    else if (found === '}' || found === ']') levels.pop()
    else if (found === ',' && level && 'index' in level) level.index += 1
    else if (string) readString(string, colon !== undefined, levels, faults)
    else if (number && !Number.isFinite(Number(number))) faults.push({ rule: 'number_range', path: pathOf(levels), written: number })
    if (faults.length === faultsMax) break
  }
  return faults
}

function readString(string: string, isKey: boolean, levels: Level[], faults: JsonFault[]): void {
  // Written in two ways, `a` and `\u0061`, it is the same; and only what is escaped can be no text.
  const escaped = string.includes('\\')
  const value: string = escaped ? JSON.parse(string) : string.slice(1, -1)
  const level = levels.at(-1)
  if (isKey && level && 'keys' in level) {
    level.key = value
    if (level.keys.has(value)) faults.push({ rule: 'unique_key', path: pathOf(levels) })
    level.keys.add(value)
  }
  if (escaped && !isText(value)) faults.push({ rule: 'well_formed', path: pathOf(levels) })
}

const pathOf = (levels: Level[]): string =>
  levels.reduce((path, level) => ('index' in level ? `${path}[${level.index}]` : path ? `${path}.${level.key}` : level.key), '')
