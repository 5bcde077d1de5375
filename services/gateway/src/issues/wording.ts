const shownMax = 60

/** A value as a fault shows it: short, and on one line. What is inside a list or an object isn't looked at: there is no end to it. */
export function show(value: unknown): string {
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'object' && value !== null) return 'an object'
  const text = JSON.stringify(typeof value === 'string' ? value.slice(0, shownMax) : value) ?? 'nothing'
  return text.length <= shownMax ? text : `${text.slice(0, shownMax - 3)}…`
}

/** `1 item`, `2 items`. */
export const counted = (count: number | bigint, word: string): string => `${count} ${word}${Number(count) === 1 ? '' : 's'}`

/** `a`, `a or b`, `a, b or c`. */
export function either(values: readonly unknown[], joiner = 'or'): string {
  if (values.length <= 1) return String(values[0])
  return `${values.slice(0, -1).join(', ')} ${joiner} ${values.at(-1)}`
}
