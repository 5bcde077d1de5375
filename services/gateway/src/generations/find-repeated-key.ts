/** A whole string, then the colon that only a key has behind it; or what opens, closes or separates. */
const token = /("[^"\\]*(?:\\.[^"\\]*)*")(\s*:)?|[{}[\],]/g

/** Of an object the keys seen so far and the last of them; of a list the place. */
type Level = { keys: Set<string>; key: string } | { index: number }

/**
 * The path of the first key that stands twice in one object of a valid JSON text, such as `prompt` or `a[2].b`. Parsers keep the last of
 * them without a word, so two readers of one body could see two requests.
 */
export function findRepeatedKey(json: string): string | undefined {
  const levels: Level[] = []
  for (const [found, string, colon] of json.matchAll(token)) {
    const level = levels.at(-1)
    if (found === '{') levels.push({ keys: new Set(), key: '' })
    else if (found === '[') levels.push({ index: 0 })
    else if (found === '}' || found === ']') levels.pop()
    else if (found === ',' && level && 'index' in level) level.index += 1
    else if (string && colon && level && 'keys' in level) {
      // Written in two ways, `a` and `\u0061`, it is the same key.
      level.key = string.includes('\\') ? JSON.parse(string) : string.slice(1, -1)
      if (level.keys.has(level.key)) return pathOf(levels)
      level.keys.add(level.key)
    }
  }
  return undefined
}

const pathOf = (levels: Level[]): string =>
  levels.reduce((path, level) => ('index' in level ? `${path}[${level.index}]` : path ? `${path}.${level.key}` : level.key), '')
