import { type Field, FieldKind, type ModelCard } from '@filmgate/proto/gen/filmgate/v1/catalog_pb'
import { modelView } from '../../../models/model-view'
import { widestField } from '../../open-api/schemas/widest-field'

/** What a reader compares models by, in words. */
export type ModelFacts = { price: string; length: string; resolution: string; ratio: string; takes: string }

export function modelFacts(card: ModelCard): ModelFacts {
  const fields = new Map<string, Field>()
  for (const { fields: own } of card.modes)
    for (const field of own) fields.set(field.name, widestField([fields.get(field.name) ?? field, field]))
  return {
    price: priceWords(card),
    length: lengthWords(fields.get('duration')),
    resolution: fields.get('resolution')?.choices.join(', ') ?? '',
    ratio: fields.get('aspect_ratio')?.choices.join(', ') ?? '',
    takes: mediaWords(fields),
  }
}

/** "62.5 to 100 credits a second; reference videos 62.5 to 100 a second" */
function priceWords(card: ModelCard): string {
  const { rows } = modelView(card, false).pricing
  const rates = (item: string) => {
    const byUnit = Map.groupBy(
      rows.filter(row => row.item === item),
      row => row.unit,
    )
    return [...byUnit].map(([unit, own]) => `${span(own.map(row => row.credits_per_unit))} credits a ${unit}`).join(' or ')
  }
  const inputs = rates('input_video')
  return `${rates('output')}${inputs ? `; reference videos ${inputs} more` : ''}`
}

function lengthWords(field: Field | undefined): string {
  if (!field) return ''
  if (field.integers.length > 0) return `${field.integers.join(', ')} s`
  return `${field.min} to ${field.max} s${field.follows ? ', as its video' : ''}`
}

function mediaWords(fields: Map<string, Field>): string {
  const frames = [fields.has('image_url') && 'a first frame', fields.has('end_image_url') && 'a last frame']
  const lists = [...fields.values()]
    .filter(field => field.kind === FieldKind.URL_LIST)
    .map(({ name, itemsMax }) => {
      const seconds = [...fields.values()].find(other => other.secondsOf === name)
      const kind = name.replace('reference_', '').replace('_urls', '')
      const noun = kind === 'audio' ? (itemsMax === 1 ? 'audio file' : 'audio files') : itemsMax === 1 ? kind : `${kind}s`
      return `${itemsMax} ${noun}${seconds ? ` of ${seconds.min} to ${seconds.max} s` : ''}`
    })
  return ['words', ...frames, ...lists].filter(Boolean).join(', ')
}

function span(values: number[]): string {
  const [lowest, highest] = [Math.min(...values), Math.max(...values)]
  return lowest === highest ? String(lowest) : `${lowest} to ${highest}`
}
