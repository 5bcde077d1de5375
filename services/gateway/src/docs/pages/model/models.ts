import type { Catalog } from '../../../catalog/catalog-table'
import type { CompiledModel } from '../../../catalog/compile-card'
import { blocks, table } from '../../markdown/write'
import { type DocPage, linkTo } from '../../site/doc-page'
import { modelPath } from './model'
import { modelFacts } from './model-facts'
import { costSpan, usualSeconds } from './video-costs'

const summary = 'All models side by side: what they take, how long and how large their videos are, and what five seconds cost.'

/** The table that models are chosen by. */
export const modelsPage = ({ models, defaultModel, priceVersion }: Catalog): DocPage => ({
  path: '/docs/models',
  title: 'Models',
  label: 'Compare models',
  section: 'Models',
  summary,
  markdown: () =>
    blocks(
      '# Models',
      summary,
      `Made from the cards that requests are checked by, without what no provider that is configured here has. Prices are those of \`${priceVersion}\`. One credit is 0.01 USD of list price.`,
      table(
        ['Model', 'Makes a video of', 'Length', 'Resolution', `Credits for ${usualSeconds} s`],
        [...models.values()].map(model => row(model, model.id === defaultModel)),
      ),
      `${defaultModel ? `A request that names no model gets \`${defaultModel}\`: always name one. ` : ''}${linkTo('Estimate', '/docs/api/estimateVideo')} tells the exact price of a request, and charges nothing.`,
    ),
})

function row(model: CompiledModel, isDefault: boolean): string[] {
  const { length, resolution, takes } = modelFacts(model.card)
  const marks = [isDefault && 'default', !model.available && 'not available here'].filter(Boolean)
  return [
    `${linkTo(model.id, modelPath(model.id))}${marks.length > 0 ? ` (${marks.join(', ')})` : ''}`,
    takes,
    length,
    resolution,
    usualCost(model),
  ]
}

/** "42 to 68"; of another length where the model has no video of this one. */
function usualCost(model: CompiledModel): string {
  const { lowest, highest, seconds } = costSpan(model) ?? {}
  if (lowest === undefined) return ''
  return `${lowest === highest ? lowest : `${lowest} to ${highest}`}${seconds === usualSeconds ? '' : ` (${seconds} s)`}`
}
