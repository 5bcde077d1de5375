import { type Html, html } from '@filmgate/kit/http/html'
import type { TaskView } from '../gateway/gateway'

type Tags = TaskView['tags']

/** As one line; null where there are none. */
export const tagsText = (tags: Tags): string | null =>
  tags
    ? Object.entries(tags)
        .map(([name, value]) => `${name}: ${value}`)
        .join(', ')
    : null

/** Each leads to the tasks at `path` that have it. */
export const tagLinks = (path: string, tags: Tags): Html[] =>
  Object.entries(tags ?? {}).map(
    ([name, value]) => html`<a href="${path}?${new URLSearchParams({ tag: `${name}=${value}` }).toString()}">${name}: ${value}</a>`,
  )

/** As the gateway takes one to look for. */
const tagForm =
  /^[a-z][a-z0-9_-]{0,31}=[^\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\s]([^\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]{0,62}[^\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\s])?$/u

/** What was entered, where the gateway takes it; else what to enter. Empty text is no tag. */
export function readTag(text: string): { tag?: string; issue?: string } {
  if (text === '') return {}
  return tagForm.test(text) ? { tag: text } : { issue: 'Enter a tag such as project=spring.' }
}

export const tagCharactersMax = 200
