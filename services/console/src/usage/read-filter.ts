import { readTag } from '../tasks/tags'
import { lastDays, type Range } from './sum-days'

/** The form's values: UTC days, the last one inclusive. */
export type FilterFields = { from: string; to: string; model: string; key: string; tag: string }
export type Filter = { fields: FilterFields; range: Range; issue?: string }

const dayMs = 86_400_000
const daysDefault = 30
/** The gateway's maximum range. */
const daysMax = 400
const dayForm = /^\d{4}-\d{2}-\d{2}$/

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
  const from = midnight(query.from ?? '')
  const last = midnight(query.to ?? '')
  if (!from || !last) return fallback('Enter dates such as 2026-11-23.')
  const to = new Date(last.getTime() + dayMs)
  if (to <= from) return fallback('The first day is after the last.')
  if (to.getTime() - from.getTime() > daysMax * dayMs) return fallback(`At most ${daysMax} days are shown at once.`)
  return { fields: { from: query.from ?? '', to: query.to ?? '', ...others }, range: { from, to } }
}

function midnight(day: string): Date | undefined {
  const at = new Date(`${day}T00:00:00Z`)
  return dayForm.test(day) && !Number.isNaN(at.getTime()) && at.toISOString().startsWith(day) ? at : undefined
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
