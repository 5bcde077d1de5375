import type { Fragment, Sql } from '../database/postgres'
import { Failure } from '../failure'
import type { requestReasons } from '../request/reasons'
import { isText } from '../request/text'
import { rfc3339 } from '../rfc3339'

/** Rows of a list in the order of their ids: the one with `id`, or those after `after` up to `through`, at most `limit`. */
export type IdRange = { id: string | null; after: string | null; through: string | null; limit: number }

const names = ['id', 'after', 'through', 'limit']
const limitMax = 1_000

/** The range that the query names, which may also name what `others` has. Anything else is refused (400). */
export function readIdRange(request: Request, others: readonly string[] = []): IdRange {
  const { searchParams: given } = new URL(request.url)
  const limit = given.get('limit') ?? '500'
  const faulty = [...given].flatMap(([name, value]) => {
    const isFine = [...names, ...others].includes(name) && given.getAll(name).length === 1 && value.length <= 200 && isText(value)
    return isFine && (name !== 'limit' || (/^[1-9]\d{0,3}$/.test(limit) && Number(limit) <= limitMax)) ? [] : [name]
  })
  if (faulty.length > 0) {
    const issues = faulty.map(path => ({ path, rule: 'parameter', message: `${path} has a value that is not allowed here` }))
    throw new Failure<keyof typeof requestReasons>('invalid_request', { details: { issues } })
  }
  return { id: given.get('id'), after: given.get('after'), through: given.get('through'), limit: Number(limit) }
}

/** The moment that the query names as `since`; null without one. */
export function readSince(request: Request): Date | null {
  const since = new URL(request.url).searchParams.get('since')
  if (since === null) return null
  const at = rfc3339(since)
  if (at) return at
  const issues = [{ path: 'since', rule: 'parameter', message: 'since must be a moment such as 2026-11-21T08:30:00Z' }]
  throw new Failure<keyof typeof requestReasons>('invalid_request', { details: { issues } })
}

/** In a `where`. Bounds that are not given are left out, so that the index of the column serves the statement. */
export const inIdRange = (sql: Sql, column: Fragment, { id, after, through }: IdRange): Fragment => sql`
  true ${id === null ? sql`` : sql`and ${column} = ${id}`} ${after === null ? sql`` : sql`and ${column} > ${after}`}
  ${through === null ? sql`` : sql`and ${column} <= ${through}`}`
