import { type Field, FieldKind, type ModelCard, type ModelMode } from '@filmgate/proto/gen/filmgate/v1/catalog_pb'
import { scalarValue } from '@filmgate/proto/scalar'
import type { CompiledModel } from '../../../catalog/compile-card'
import { modelView } from '../../../models/model-view'
import { describeAny, describeComparison, describeRequirement, describeWhen } from '../../../rules/describe-rule'
import { exampleFor } from '../../examples/examples'
import { blocks, bullets, codeSpan, fence, prose, table } from '../../markdown/write'
import { notAvailable } from '../../open-api/schemas/requests'
import { type DocPage, linkTo } from '../../site/doc-page'
import { mediaLimits } from './media-limits'
import { modelFacts } from './model-facts'
import { costTable } from './video-costs'

export const modelPath = (model: string): string => `/docs/models/${model}`

/** What a model takes, by mode, and what its videos cost. */
export function modelPage(model: CompiledModel, isDefault: boolean): DocPage {
  const { card } = model
  const facts = modelFacts(card)
  const summary = `Makes videos of ${facts.length}${facts.resolution && ` in ${facts.resolution}`}, for ${facts.price}.`
  return { path: modelPath(card.model), title: card.model, section: 'Models', summary, markdown: () => text(model, isDefault, summary) }
}

function text(model: CompiledModel, isDefault: boolean, summary: string): string {
  const { card, available } = model
  const facts = modelFacts(card)
  const costs = costTable(model)
  return blocks(
    `# ${card.model}`,
    summary,
    !available && `**${notAvailable}**`,
    isDefault && 'A request that names no model gets this one.',
    table(
      ['', ''],
      [
        ['Modes', card.modes.map(({ name }) => `[${name}](#${name})`).join(', ')],
        ['Takes', facts.takes],
        ['Length', facts.length],
        ...(facts.resolution ? [['Resolution', facts.resolution]] : []),
        ...(facts.ratio ? [['Ratio', facts.ratio]] : []),
      ],
    ),
    ...card.notes.map(prose),
    '## Example',
    `<!-- model-sample: ${card.model} -->`,
    '## Price',
    costs && 'What a video costs in credits, by resolution and length. One credit is 0.01 USD of list price.',
    costs,
    costs ? 'The rates behind it:' : 'The rates:',
    rates(card),
    `The sum is rounded up once. ${linkTo('Estimate', '/docs/api/estimateVideo')} tells the price of a request, and \`max_credits\` refuses one above yours.`,
    ...card.modes.map(mode => modeText(card, mode)),
  )
}

function rates(card: ModelCard): string {
  const { rows } = modelView(card, false).pricing
  return table(
    ['Rate of', 'For', 'Credits'],
    rows.map(row => [row.item.replace('_', ' '), circumstances(row), `${row.credits_per_unit} a ${row.unit}`]),
  )
}

function circumstances(row: { resolution?: string; generate_audio?: boolean; duration?: number }): string {
  const audio = row.generate_audio === undefined ? [] : [row.generate_audio ? 'with audio' : 'without audio']
  return [row.resolution ?? 'any resolution', ...audio, ...(row.duration ? [`${row.duration} s`] : [])].join(', ')
}

function modeText(card: ModelCard, mode: ModelMode): string {
  const limits = mediaLimits(card, mode)
  const isDefault = mode.name === card.defaultMode
  return blocks(
    `## ${mode.name}`,
    isDefault ? 'The mode of a request that names none.' : `Send \`"mode": "${mode.name}"\`.`,
    table(
      ['Field', 'Value', 'Default', 'Meaning'],
      mode.fields.map(field => [
        `${codeSpan(field.name)}${field.required ? ' *required*' : ''}`,
        valueWords(field),
        fallbackWords(field),
        prose(field.meaning),
      ]),
    ),
    mode.rules.length > 0 && bullets(mode.rules.map(rule => `${prose(sentence(rule))}.`)),
    limits.length > 0 && bullets(limits.map(limit => `${limit}.`)),
    fence(exampleFor(card, mode).json, 'json'),
    `<!-- try: ${card.model}.${mode.name} -->`,
  )
}

function sentence(rule: ModelMode['rules'][number]): string {
  if (rule.compare)
    return `${describeComparison(rule, Number(rule.compare.limit))}${describeWhen(rule.when, [rule.compare.left[0]?.field ?? ''])}`
  const demands = [...rule.requireAll.map(describeRequirement), ...(rule.requireAny.length > 0 ? [describeAny(rule.requireAny)] : [])]
  return `${demands.join(' and ')}${describeWhen(rule.when)}`
}

function valueWords(field: Field): string {
  const range = Number(field.max) >= Number.MAX_SAFE_INTEGER ? `${field.min} or more` : `${field.min} to ${field.max}`
  switch (field.kind) {
    case FieldKind.TEXT:
      return `text of ${range} characters after trimming`
    case FieldKind.INTEGER:
      return field.integers.length > 0 ? field.integers.join(', ') : range
    case FieldKind.BOOLEAN:
      return 'true or false'
    case FieldKind.CHOICE:
      return field.choices.map(codeSpan).join(', ')
    case FieldKind.URL:
      return 'https URL'
    case FieldKind.URL_LIST:
      return `${listWords(field)} https URLs`
    case FieldKind.SECONDS_LIST:
      return `whole seconds, ${range} each, one for each of ${codeSpan(field.secondsOf)}`
    case FieldKind.UNSPECIFIED:
      return ''
  }
}

const listWords = ({ itemsMin, itemsMax }: Field): string => (itemsMin === itemsMax ? `exactly ${itemsMax}` : `up to ${itemsMax}`)

function fallbackWords(field: Field): string {
  if (field.follows) return `the sum of ${codeSpan(field.follows)}`
  return field.default ? codeSpan(String(scalarValue(field.default))) : ''
}
