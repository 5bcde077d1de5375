/** Values as source text of a language, whatever a text holds. None has a line break in a text. */

/** In single quotes. */
const singleQuoted = (text: string): string => `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`

/** A value of TypeScript on one line. */
export function typescriptLiteral(value: unknown): string {
  if (typeof value === 'string') return singleQuoted(value)
  if (Array.isArray(value)) return `[${value.map(typescriptLiteral).join(', ')}]`
  if (typeof value === 'object' && value !== null)
    return `{ ${Object.entries(value)
      .map(([name, each]) => `${name}: ${typescriptLiteral(each)}`)
      .join(', ')} }`
  return String(value)
}

/** A value of Python on one line. A string of JSON means the same there. */
export function pythonLiteral(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(pythonLiteral).join(', ')}]`
  if (typeof value === 'object' && value !== null)
    return `{${Object.entries(value)
      .map(([name, each]) => `${JSON.stringify(name)}: ${pythonLiteral(each)}`)
      .join(', ')}}`
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  return value === null ? 'None' : JSON.stringify(value)
}

/** One word of bash, which it takes as it is; with quotes where it needs them, or always. */
export function bashWord(text: string, quoted = false): string {
  if (!quoted && /^[\w.:/@%+=,-]+$/.test(text)) return text
  if (!/\p{Cc}/u.test(text)) return `'${text.replaceAll("'", "'\\''")}'`
  // Only this form has escapes. Bash has no NUL.
  const escaped = text
    .replaceAll(/[\\']/g, '\\$&')
    .replaceAll(/[^\P{Cc}\x80-\x9f]/gu, each => `\\${each.charCodeAt(0).toString(8).padStart(3, '0')}`)
  return `$'${escaped}'`
}
