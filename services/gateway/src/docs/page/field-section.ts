import { type Html, html } from '@filmgate/kit/http/html'
import type { ModelCard } from '@filmgate/proto/gen/filmgate/v1/catalog_pb'
import { heading, table } from './headings'

/** What each field of a request means; what a model takes in it stands with the model. */
export function fieldSection(cards: ModelCard[], defaultModel: string): Html {
  const meanings = new Map<string, string>()
  for (const { modes } of cards) for (const { fields } of modes) for (const { name, meaning } of fields) meanings.set(name, meaning)
  const always: [string, string][] = [
    ['model', `Chooses the model, and with it the shape of the request. Left out it is ${defaultModel}: always send it.`],
    ['mode', 'What the video is made from: text-to-video, image-to-video or media-to-video. Most models have a default.'],
  ]
  return html`
${heading(2, 'fields', 'Fields of a request')}
<p>The body of a generation and of an estimate. Each model takes some of these fields, in ranges of its own, and refuses every other.</p>
${table(
  'Fields of a request',
  ['Field', 'Meaning'],
  [...always, ...meanings].map(([name, meaning]) => ({ cells: [html`<code>${name}</code>`, meaning] })),
)}`
}
