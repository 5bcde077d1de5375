const shownMax = 60

/** A value as a fault shows it: short, and on one line. What is inside a list or an object isn't looked at: there is no end to it. */
export function show(value: unknown): string {
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'object' && value !== null) return 'an object'
  const text = JSON.stringify(typeof value === 'string' ? value.slice(0, shownMax) : value) ?? 'nothing'
  return text.length <= shownMax ? text : `${text.slice(0, shownMax - 3)}…`
}
