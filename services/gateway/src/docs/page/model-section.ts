import { type Html, html } from '@filmgate/kit/http/html'
import { type Field, FieldKind, type ModelCard, type ModelMode } from '@filmgate/proto/gen/filmgate/v1/catalog_pb'
import { scalarValue } from '@filmgate/proto/scalar'
import type { CompiledModel } from '../../catalog/compile-card'
import { modelView } from '../../models/model-view'
import { describeAny, describeComparison, describeRequirement, describeWhen } from '../../rules/describe-rule'
import { exampleOf } from '../open-api/example-of'
import { notAvailable } from '../open-api/schemas/requests'
import { code, heading, table } from './headings'
import { modelSummary } from './model-summary'

/** A model: what it is compared by, and folded its fields, rules, media, prices and an example of each mode. */
export function modelSection({ card, available }: Pick<CompiledModel, 'card' | 'available'>, isDefault: boolean): Html {
  const view = modelView(card, isDefault)
  return html`
<section class="model" data-search="${[card.model, card.family, ...card.modes.map(({ name }) => name), ...card.capabilities].join(' ')}">
${heading(3, card.model, card.model)}
<p class="tags">${card.modes.map(mode => html`<span class="tag">${mode.name}</span>`)}${isDefault && html`<span class="tag">when no model is named</span>`}</p>
${modelSummary(card)}
${!available && html`<p>${notAvailable}</p>`}
${card.notes.map(note => html`<p>${note}</p>`)}
<details><summary>Fields, rules, prices and examples<span class="hidden"> of ${card.model}</span></summary>
${card.modes.map(mode => modeSection(card, mode))}
<h4>Prices</h4>
${table(
  `Prices of ${card.model}`,
  ['Item', 'For', 'Credits'],
  view.pricing.rows.map(row => ({ cells: [row.item.replace('_', ' '), circumstances(row), html`${row.credits_per_unit} a ${row.unit}`] })),
)}
</details>
</section>`
}

function circumstances(row: { resolution?: string; generate_audio?: boolean; duration?: number }): string {
  const audio = row.generate_audio === undefined ? [] : [row.generate_audio ? 'with audio' : 'without audio']
  return [row.resolution ?? 'any resolution', ...audio, ...(row.duration ? [`${row.duration} s`] : [])].join(', ')
}

function modeSection(card: ModelCard, mode: ModelMode): Html {
  const limits = Object.entries(modelView(card, false).modes[mode.name]?.media_limits ?? {})
  const sentences = mode.rules.map(sentence)
  return html`
<h4>${mode.name}${mode.name === card.defaultMode && html`<span class="tag">default</span>`}</h4>
${table(
  `Fields of ${card.model}, ${mode.name}`,
  ['Field', 'Value', 'Default'],
  mode.fields.map(field => ({
    cells: [
      html`<code>${field.name}</code>${field.required && html` <span class="soft">required</span>`}`,
      valueWords(field),
      fallbackWords(field),
    ],
  })),
)}
${sentences.length > 0 && html`<ul>${sentences.map(words => html`<li>${words}.</li>`)}</ul>`}
${limits.length > 0 && html`<ul class="soft">${limits.map(([kind, limit]) => html`<li>${mediaWords[kind] ?? kind}: ${limitWords(limit)}.</li>`)}</ul>`}
${code(JSON.stringify(exampleOf(card, mode), null, 2), `Example of ${card.model}, ${mode.name}`)}
<button type="button" class="quiet" data-example="${card.model}.${mode.name}">Try it<span class="hidden"> with ${card.model}, ${mode.name}</span></button>`
}

const mediaWords: Record<string, string> = {
  image: 'Each image',
  video: 'Each video',
  audio: 'Each audio file',
  total_bytes_max: 'All files together',
}

function sentence(rule: ModelMode['rules'][number]): string {
  if (rule.compare)
    return `${describeComparison(rule, Number(rule.compare.limit))}${describeWhen(rule.when, [rule.compare.left[0]?.field ?? ''])}`
  const demands = [...rule.requireAll.map(describeRequirement), ...(rule.requireAny.length > 0 ? [describeAny(rule.requireAny)] : [])]
  return `${demands.join(' and ')}${describeWhen(rule.when)}`
}

function valueWords(field: Field): string {
  const range = `${field.min} to ${field.max}`
  switch (field.kind) {
    case FieldKind.TEXT:
      return `text of ${range} characters after trimming`
    case FieldKind.INTEGER:
      return field.integers.length > 0 ? field.integers.join(', ') : range
    case FieldKind.BOOLEAN:
      return 'true or false'
    case FieldKind.CHOICE:
      return field.choices.join(', ')
    case FieldKind.URL:
      return 'https URL'
    case FieldKind.URL_LIST:
      return `${listWords(field)} https URLs`
    case FieldKind.SECONDS_LIST:
      return `whole seconds, ${range} each, one for each of ${field.secondsOf}`
    case FieldKind.UNSPECIFIED:
      return ''
  }
}

const listWords = ({ itemsMin, itemsMax }: Field): string => (itemsMin === itemsMax ? `exactly ${itemsMax}` : `up to ${itemsMax}`)

function fallbackWords(field: Field): string {
  if (field.follows) return `the sum of ${field.follows}`
  return field.default ? String(scalarValue(field.default)) : ''
}

/** "jpeg, png, webp; at most 30 MiB; width 256 to 5760 px; …" */
function limitWords(limit: unknown): string {
  if (typeof limit === 'number') return mebibytes(limit)
  const limits = limit as Record<string, number | undefined> & { formats: string[] }
  const ranges = Object.entries(rangeUnits).flatMap(([name, unit]) => {
    const [min, max] = [limits[`${name}_min`], limits[`${name}_max`]]
    return min === undefined && max === undefined ? [] : [`${name.replace('_', ' ')} ${min} to ${max}${unit}`]
  })
  const together = limits.seconds_total_max ? [`${limits.seconds_total_max} s together`] : []
  return [limits.formats.join(', '), `at most ${mebibytes(limits.bytes_max ?? 0)}`, ...ranges, ...together].join('; ')
}

const rangeUnits = { width: ' px', height: ' px', ratio: '', frame_rate: ' frames a second', seconds: ' s' }
const mebibytes = (bytes: number): string => `${bytes / 1_048_576} MiB`
