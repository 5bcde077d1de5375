import { Failure } from '@filmgate/kit/failure'
import { nearestWord } from '@filmgate/kit/nearest-word'
import { isText } from '@filmgate/kit/request/text'
import type { Reason } from '../errors'
import type { Issue } from '../issues/issue'

/** Reads one parameter, null where it isn't there; throws a plain sentence when the value is not legal. */
export type ParameterReader<T> = (raw: string | null) => T

/** The query as `shape` reads it. Every fault is named at once; a parameter that the route doesn't have is one. */
export function readQuery<S extends Record<string, ParameterReader<unknown>>>(
  requestUrl: string,
  shape: S,
): { [K in keyof S]: ReturnType<S[K]> } {
  const { search, searchParams: given } = new URL(requestUrl)
  if (!isQueryText(search)) throw refused([notText])
  const issues: Issue[] = []
  for (const name of new Set(given.keys())) {
    const meant = nearestWord(name, Object.keys(shape))
    if (!Object.hasOwn(shape, name))
      issues.push({
        path: name,
        rule: 'unknown_parameter',
        message: `there is no parameter ${name}${meant ? `; did you mean ${meant}?` : ''}`,
      })
    else if (given.getAll(name).length > 1)
      issues.push({ path: name, rule: 'repeated_parameter', message: `${name} is given more than once` })
  }
  const read: Record<string, unknown> = {}
  for (const [name, reader] of Object.entries(shape)) {
    try {
      read[name] = reader(given.get(name))
    } catch (error) {
      issues.push({ path: name, rule: 'parameter', message: `${name} ${error instanceof Error ? error.message : String(error)}` })
    }
  }
  if (issues.length > 0) throw refused(issues)
  return read as { [K in keyof S]: ReturnType<S[K]> }
}

const refused = (issues: Issue[]) =>
  new Failure<Reason>('invalid_request', { details: { issues }, message: 'The query has a fault. See details.issues.' })

const notText: Issue = {
  path: '',
  rule: 'well_formed',
  message: 'the query must be percent-encoded UTF-8 without the character U+0000',
}

/** A lenient reader would replace bytes that are not UTF-8 by other characters than were sent. */
function isQueryText(search: string): boolean {
  try {
    return isText(decodeURIComponent(search))
  } catch {
    return false
  }
}

/** How many rows a page has. */
export const pageSize =
  (fallback: number, max: number): ParameterReader<number> =>
  raw => {
    if (raw === null) return fallback
    const size = /^\d{1,6}$/.test(raw) ? Number(raw) : Number.NaN
    if (!(size >= 1 && size <= max)) throw new Error(`must be a whole number from 1 to ${max}`)
    return size
  }

export const oneOf =
  <const V extends string>(values: readonly V[]): ParameterReader<V | null> =>
  raw => {
    const value = values.find(each => each === raw)
    if (raw !== null && value === undefined) throw new Error(`must be one of ${values.join(', ')}`)
    return value ?? null
  }

export const words =
  (charactersMax: number): ParameterReader<string | null> =>
  raw => {
    if (raw !== null && (raw.length === 0 || raw.length > charactersMax)) throw new Error(`must have from 1 to ${charactersMax} characters`)
    return raw
  }

/** Whether the database knows the moment: there is no year 0, and none with a sign or more than four digits. */
export const storable = (at: Date): boolean => at.getUTCFullYear() >= 1 && at.getUTCFullYear() <= 9_999

const dateForm = /^(\d{4}-\d\d-\d\d)([Tt]\d\d:\d\d(:\d\d(\.\d{1,9})?)?([Zz]|[+-]\d\d:\d\d))?$/

/** A moment of RFC 3339, or a date, which is its midnight in UTC. */
export const moment: ParameterReader<Date | null> = raw => {
  if (raw === null) return null
  const day = dateForm.exec(raw)?.[1]
  const at = new Date(day === undefined ? Number.NaN : raw)
  // Some engines take 30 February for 2 March.
  const dayExists = day !== undefined && new Date(`${day}T00:00:00Z`).toISOString().startsWith(day)
  if (!storable(at) || !dayExists) throw new Error('must be a date like 2026-11-21 or a moment like 2026-11-21T08:30:00Z')
  return at
}
