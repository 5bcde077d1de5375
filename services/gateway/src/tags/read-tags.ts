import { Failure } from '@filmgate/kit/failure'
import { isText } from '@filmgate/kit/request/text'
import type { Reason } from '../errors'
import type { Issue } from '../issues/issue'
import { show } from '../issues/wording'
import { isVisible } from '../rules/visible-text'

/** What a client marks a task with, for its own books: values by name. */
export type Tags = Record<string, string>

export const tagsHeader = 'Filmgate-Tags'
export const tagsMax = 8
export const tagValueCharactersMax = 64
export const tagNamePattern = '[a-z][a-z0-9_-]{0,31}'

const nameForm = new RegExp(`^${tagNamePattern}$`)
/** Control characters, line ends, and marks that turn the direction of what is printed after them. */
const unprintable = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u

/** Tags as `Filmgate-Tags: project=spring,shot=12` has them, null where none are. A value is percent-encoded where it needs to be. */
export function readTags(header: string | null): Tags | null {
  // Empty members of a list count for nothing (RFC 9110, 5.6.1).
  const members = (header ?? '').split(',').flatMap(member => member.trim() || [])
  return tagsOf(members.map(readMember), tagsHeader)
}

/** Tags as JSON has them, by the same rules; null where none are. An issue has the path of `path`. */
export function checkTags(tags: Record<string, unknown>, path: string): Tags | null {
  return tagsOf(
    Object.entries(tags).map(([name, value]) => ({ name, value })),
    path,
  )
}

/** As the header has them. */
export const writeTags = (tags: Tags): string =>
  Object.entries(tags)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join(',')

type Member = { name: string; value: unknown }

function readMember(member: string): Member {
  const end = member.indexOf('=')
  if (end < 0) return { name: member, value: undefined }
  const text = member.slice(end + 1)
  return { name: member.slice(0, end), value: /^[ -~]*$/.test(text) ? decoded(text) : undefined }
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

function tagsOf(members: Member[], path: string): Tags | null {
  if (members.length > tagsMax) throw refused([issue(path, 'tags_max', `must name at most ${tagsMax} tags, and names ${members.length}`)])
  const tags = new Map<string, string>()
  const issues: Issue[] = []
  for (const { name, value } of members) {
    const fault = faultOf(name, value) ?? (tags.has(name) ? { rule: 'tag_twice', message: `names ${name} twice` } : undefined)
    if (fault) issues.push(issue(path, fault.rule, fault.message))
    else tags.set(name, String(value))
  }
  if (issues.length > 0) throw refused(issues)
  return tags.size > 0 ? Object.fromEntries(tags) : null
}

function faultOf(name: string, value: unknown): { rule: string; message: string } | undefined {
  if (!nameForm.test(name))
    return {
      rule: 'tag_name',
      message: `has the tag name ${show(name)}; a name is a lower-case letter, then at most 31 of a–z, 0–9, _ and -`,
    }
  if (!isTagValue(value))
    return {
      rule: 'tag_value',
      message: `has no legal value for ${name}; a value has 1 to ${tagValueCharactersMax} visible characters, none of them a space at an end`,
    }
  return undefined
}

const isTagValue = (value: unknown): boolean =>
  typeof value === 'string' &&
  isText(value) &&
  isVisible(value) &&
  !unprintable.test(value) &&
  value === value.trim() &&
  Array.from(value).length <= tagValueCharactersMax

const issue = (path: string, rule: string, message: string): Issue => ({ path, rule, message: `${path} ${message}` })

const refused = (issues: Issue[]) =>
  new Failure<Reason>('invalid_request', { details: { issues }, message: 'The tags have a fault. See details.issues.' })
