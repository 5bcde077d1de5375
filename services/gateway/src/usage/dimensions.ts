import type { Fragment, Sql } from '@filmgate/kit/database/postgres'
import type { ParameterReader } from '../paging/read-query'
import { tagNamePattern } from '../tags/read-tags'

/** What records are summed by: at most one tag among it. */
export type Dimensions = { day: boolean; model: boolean; key: boolean; tag: string | null }

export const dayAndModel: Dimensions = { day: true, model: true, key: false, tag: null }

const names = ['day', 'model', 'key'] as const
const tagForm = new RegExp(`^tag:(${tagNamePattern})$`)
export const dimensionsPattern = `^(day|model|key|tag:${tagNamePattern})(,(day|model|key|tag:${tagNamePattern})){0,3}$`

/** `day,model` and the like; null where nothing is said. */
export const dimensions: ParameterReader<Dimensions | null> = raw => {
  if (raw === null) return null
  const parts = raw.split(',', 5)
  const tags = parts.flatMap(part => tagForm.exec(part)?.[1] ?? [])
  const known = parts.filter(part => names.some(name => name === part))
  if (new Set(parts).size < parts.length || tags.length > 1 || known.length + tags.length < parts.length)
    throw new Error('must be of day, model, key and one tag:NAME, each once, separated by commas')
  return { day: known.includes('day'), model: known.includes('model'), key: known.includes('key'), tag: tags[0] ?? null }
}

/** A row of sums by its dimensions; those that were not asked for are null. */
export type Group = { day: string | null; model: string | null; keyId: string | null; tag: string | null }

/** The first four columns of a select from `record`, to be grouped by. */
export const groupColumns = (sql: Sql, { day, model, key, tag }: Dimensions): Fragment => sql`
  ${day ? sql`to_char(at at time zone 'UTC', 'YYYY-MM-DD')` : sql`null::text`} as day,
  ${model ? sql`model` : sql`null::text`} as model,
  ${key ? sql`nullif(key_id, '')` : sql`null::text`} as "keyId",
  ${tag === null ? sql`null::text` : sql`${`${tag}=`}::text || (tags ->> ${tag}::text)`} as tag`

/** The dimensions that were asked for, as a client sees them. A tag is written as a filter takes it. */
export const groupView = (by: Dimensions, { day, model, keyId, tag }: Group) => ({
  ...(by.day && { day }),
  ...(by.model && { model }),
  ...(by.key && { key_id: keyId }),
  ...(by.tag !== null && { tag }),
})

export const groupNames = (by: Dimensions): string[] => Object.keys(groupView(by, { day: null, model: null, keyId: null, tag: null }))
