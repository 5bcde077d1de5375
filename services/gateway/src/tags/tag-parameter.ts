import type { ParameterReader } from '../paging/read-query'
import { checkTags } from './read-tags'

export type Tag = { name: string; value: string }

/** `project=spring` in a query: the tag that is looked for. */
export const tagParameter: ParameterReader<Tag | null> = raw => {
  if (raw === null) return null
  const end = raw.indexOf('=')
  const tag = { name: raw.slice(0, Math.max(end, 0)), value: raw.slice(end + 1) }
  if (end < 0 || !isTag(tag)) throw new Error('must be a tag such as project=spring')
  return tag
}

function isTag({ name, value }: Tag): boolean {
  try {
    return checkTags({ [name]: value }, 'tag') !== null
  } catch {
    return false
  }
}
