import type { Catalog } from '../../catalog/catalog-table'
import { blocks, codeSpan, prose, table } from '../markdown/write'

/** What each field of a generation means; what a model takes in it is on the model's page. */
export function fieldsOfRequests({ models, defaultModel }: Catalog): string {
  const meanings = new Map<string, string>()
  for (const { card } of models.values())
    for (const { fields } of card.modes) for (const { name, meaning } of fields) meanings.set(name, meaning)
  const always: [string, string][] = [
    ['model', `Chooses the model, and with it the shape of the request. Left out it is ${defaultModel}: always send it.`],
    ['mode', 'What the video is made from: text-to-video, image-to-video or media-to-video. Most models have a default.'],
  ]
  return blocks(
    '## Fields',
    'Each model takes some of these fields, in ranges of its own, and refuses every other.',
    table(
      ['Field', 'Meaning'],
      [...always, ...meanings].map(([name, meaning]) => [codeSpan(name), prose(meaning)]),
    ),
  )
}
