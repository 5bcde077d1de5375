const required = ['provider', 'from', 'to', 'outcome'] as const
const names = [...required, 'cause']

/** By their names: those that were filled in. */
export type BulkTerms = Record<string, string>

/** A day, or a time without its zone, is read in UTC, as it is shown; the dispatcher judges what is left. */
const short = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d)?)?$/
const whole = (time: string): string => (short.test(time) ? `${time}${'0000-00-00T00:00:00Z'.slice(time.length)}` : time)

/** Which reviews a query or a form means, with its times in full. */
export function readBulkTerms(get: (name: string) => string): BulkTerms {
  const given = names.map((name): [string, string] => [name, get(name).trim()]).filter(([, value]) => value !== '')
  return Object.fromEntries(given.map(([name, value]) => [name, name === 'from' || name === 'to' ? whole(value) : value]))
}

export const isWhole = (terms: BulkTerms): boolean => required.every(name => terms[name] !== undefined)
