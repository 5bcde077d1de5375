import { beginningOf, daysReversed, endOf, wrongDays } from '../layout/field'
import { lastDays, type Range } from '../usage/sum-days'

export const results = { accepted: 'Accepted', refused: 'Refused' }

/** The form's values; '' where nothing is chosen. `from`, `to`: days in UTC, the last one inclusive. */
export type FilterFields = { request: string; result: string; code: string; key: string; from: string; to: string }
export type Filter = { fields: FilterFields; range: Range; issue?: string }

/** So long the gateway keeps them. */
export const keptDays = 30
const charactersMax = 64

/** Whether it can be an X-Request-Id. */
export const isRequestId = (text: string): boolean => /^[0-9a-f]{32}$/i.test(text)

/** A faulty filter shows the requests of all days, with what is wrong. */
export function readFilter(query: Record<string, string | undefined>, now: Date): Filter {
  // The gateway takes no null character.
  const entered = (name: keyof FilterFields) => (query[name] ?? '').replaceAll('\0', '').trim().slice(0, charactersMax)
  const kept = lastDays(keptDays, now)
  const result = entered('result')
  const others = {
    request: entered('request'),
    result: Object.hasOwn(results, result) ? result : '',
    code: entered('code'),
    key: entered('key'),
  }
  const all = (issue?: string): Filter => ({ fields: { ...others, from: '', to: '' }, range: kept, ...(issue !== undefined && { issue }) })
  if (others.request !== '' && !isRequestId(others.request))
    return {
      ...all('A request ID has 32 digits and letters, as in the header X-Request-Id.'),
      fields: { ...others, request: '', from: '', to: '' },
    }
  const [from, to] = [entered('from'), entered('to')]
  const [first, last] = [beginningOf(from), endOf(to)]
  if ((from !== '' && !first) || (to !== '' && !last)) return all(wrongDays)
  const range = { from: latest(first ?? kept.from, kept.from), to: earliest(last ?? kept.to, kept.to) }
  if (first && last && last <= first) return all(daysReversed)
  if (range.to <= range.from) return all(`Requests are kept for ${keptDays} days.`)
  return { fields: { ...others, from, to }, range }
}

const latest = (a: Date, b: Date): Date => (a > b ? a : b)
const earliest = (a: Date, b: Date): Date => (a < b ? a : b)

/** The query of the list for the gateway. */
export const listQuery = ({ fields: { key, from, to, ...same }, range }: Filter, cursor: string): URLSearchParams => {
  const fields = {
    ...same,
    key_id: key,
    cursor,
    ...(from !== '' && { from: range.from.toISOString() }),
    ...(to !== '' && { to: range.to.toISOString() }),
  }
  return new URLSearchParams(Object.entries(fields).filter(([, value]) => value !== ''))
}

/** The query of the counts. */
export const countsQuery = ({ fields: { key }, range }: Filter): URLSearchParams =>
  new URLSearchParams({ from: range.from.toISOString(), to: range.to.toISOString(), ...(key !== '' && { key_id: key }) })
