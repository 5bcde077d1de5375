import type { Fragment, Sql } from '@filmgate/kit/database/postgres'
import { Failure } from '@filmgate/kit/failure'
import { rfc3339 } from '@filmgate/kit/rfc3339'
import type { Listed } from '@filmgate/proto/operator/answer'
import { attemptIdAt } from '../attempt/attempt-id'
import type { Reason } from '../errors'
import { providerNames } from '../providers/outside-providers'

/** Attempts made from `from` to before `to`: their ids sort by that. */
export type Range = { from: Date; to: Date }

/** A statement reads every attempt of its range. */
const daysMax = 31
const providers: string[] = [...providerNames, 'simulator']

export const madeWithin = (sql: Sql, { from, to }: Range): Fragment =>
  sql`id >= ${attemptIdAt(from.getTime())} and id < ${attemptIdAt(to.getTime())}`

export const queryOf = ({ url }: Request): URLSearchParams => new URL(url).searchParams

/** The query's `from` and `to`; throws `invalid_request`. */
export function readRange(query: URLSearchParams): Range {
  const [from, to] = [momentOf(query, 'from'), momentOf(query, 'to')]
  const days = (to.getTime() - from.getTime()) / 86_400_000
  if (!(days > 0 && days <= daysMax)) queryFault(`to must be after from, and at most ${daysMax} days`)
  return { from, to }
}

const momentOf = (query: URLSearchParams, name: string): Date =>
  rfc3339(query.get(name) ?? '') ?? queryFault(`${name} must be a moment like 2026-11-21T08:30:00Z`)

/** A provider that is off has attempts too, one that is spelt wrong has none to show. */
export function readProvider(query: URLSearchParams): string | undefined {
  const provider = query.get('provider') ?? undefined
  return provider === undefined || providers.includes(provider) ? provider : queryFault(`provider is none of ${providers.join(', ')}`)
}

/** The id that the page before ended with. */
export const readCursor = (query: URLSearchParams): string | undefined => readMatching(query, 'cursor', /^at_[0-9a-f]{1,40}$/)

export function readMatching(query: URLSearchParams, name: string, form: RegExp): string | undefined {
  const value = query.get(name)
  if (value === null) return undefined
  return form.test(value) ? value : queryFault(`${name} is none`)
}

export function queryFault(message: string): never {
  throw new Failure<Reason>('invalid_request', { message: `The query has a fault: ${message}.` })
}

/** A page of rows that were read with one more than `rowsMax`; the next begins behind its last id. */
export function pageOf<R extends { id: string }, T>(rows: readonly R[], rowsMax: number, view: (row: R) => T): Listed<T> {
  const shown = rows.slice(0, rowsMax)
  return { data: shown.map(view), next_cursor: rows.length > rowsMax ? (shown.at(-1)?.id ?? null) : null }
}
