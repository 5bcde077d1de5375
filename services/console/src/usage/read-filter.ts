import { beginningOf, daysReversed, endOf, wrongDays } from '../layout/field'
import { readTag } from '../tasks/tags'
import { lastDays, type Range } from './sum-days'

/** The form's values: UTC days, the last one inclusive. */
export type FilterFields = { from: string; to: string; model: string; key: string; tag: string }
export type Filter = { fields: FilterFields; range: Range; issue?: string }

const dayMs = 86_400_000
const daysDefault = 30
/** The gateway's maximum range. */
const daysMax = 400

/** Parses the filter. An invalid one shows the last 30 days and an error message. */
export function readFilter(query: Record<string, string | undefined>, now: Date): Filter {
  const range = lastDays(daysDefault, now)
  const model = (query.model ?? '').slice(0, 64)
  const key = (query.key ?? '').slice(0, 64)
  const { tag = '', issue: wrongTag } = readTag(query.tag ?? '')
  const others = { model, key, tag }
  const fallback = (issue?: string): Filter => ({ fields: { ...fieldsOf(range), ...others }, range, ...(issue !== undefined && { issue }) })
  if (wrongTag !== undefined) return fallback(wrongTag)
  if (!query.from && !query.to) return fallback()
  const from = beginningOf(query.from ?? '')
  const to = endOf(query.to ?? '')
  if (!from || !to) return fallback(wrongDays)
  if (to <= from) return fallback(daysReversed)
  if (to.getTime() - from.getTime() > daysMax * dayMs) return fallback(`At most ${daysMax} days are shown at once.`)
  return { fields: { from: query.from ?? '', to: query.to ?? '', ...others }, range: { from, to } }
}

const fieldsOf = ({ from, to }: Range) => ({
  from: from.toISOString().slice(0, 10),
  to: new Date(to.getTime() - dayMs).toISOString().slice(0, 10),
})

/** The query for the gateway. */
export const queryOf = ({ fields, range }: Filter): URLSearchParams =>
  new URLSearchParams({
    from: range.from.toISOString(),
    to: range.to.toISOString(),
    ...(fields.model !== '' && { model: fields.model }),
    ...ofKeyAndTag(fields),
  })

export const ofKeyAndTag = ({ key, tag }: FilterFields): Record<string, string> => ({
  ...(key !== '' && { key_id: key }),
  ...(tag !== '' && { tag }),
})
