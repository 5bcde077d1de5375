import { invariant } from '@filmgate/kit/failure'
import type { Submission } from '../connector'
import { requestFields } from '../mapping/request-fields'

type Entry = { type: string; text: string } | { type: string; url: string }
type Body = { prompt?: unknown; contents?: Entry[]; settings: Record<string, unknown>; options: Record<string, unknown> }

/**
 * A submission as API 2.0 has it: kling.ai/document-api/api/video/3-0-omni/video-omni. A route's fields say where they stand:
 * `settings.duration`, and `contents.first_frame` for entries of that type, one for each address. The words of an order are `prompt` at
 * some models and an entry at others.
 */
export function requestBody({ attemptId, order, mapping, media, callbackUrl }: Submission): Body {
  const body: Body = { settings: {}, options: { external_task_id: attemptId, ...(callbackUrl && { callback_url: callbackUrl }) } }
  const contents: Entry[] = []
  for (const [field, value] of Object.entries(requestFields(mapping, order, media))) {
    const [place, name] = field.split('.')
    if (field === 'prompt') body.prompt = value
    else if (place === 'settings' && name) body.settings[name] = value
    else if (place === 'contents' && name) contents.push(...entriesOf(name, value))
    else invariant(false, `a route’s field is prompt, or of settings or contents, not ${field}`)
  }
  return contents.length > 0 ? { ...body, contents } : body
}

const entriesOf = (type: string, value: unknown): Entry[] =>
  type === 'prompt' ? [{ type, text: String(value) }] : [value].flat().map(url => ({ type, url: String(url) }))
