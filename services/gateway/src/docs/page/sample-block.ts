import { type Html, html } from '@filmgate/kit/http/html'
import type { Catalog } from '../../catalog/catalog-table'
import { type Example, exampleFor, type Language } from '../examples/examples'
import { codeBlock } from '../markdown/render'
import { fillPiece, piecesOf } from '../samples/fill'

type Sample = {
  templates: [Language, string][]
  /** What the placeholders are until a reader chooses another. */
  example: Example
  choices: { id: string; words: string }[]
  /** The one model whose modes are to choose from. */
  model?: string
}

/** One sample in all languages. Without scripts they stand below each other; with them the chosen language is shown alone. */
export function sampleBlock({ templates, example, choices, model }: Sample): Html {
  if (templates.length === 0) return codeBlock(example.json, 'The request')
  const usesBody = templates.some(([, template]) => piecesOf(template).some(piece => typeof piece !== 'string'))
  return html`<div class="sample" data-has="${templates.map(([{ id }]) => id).join(' ')}"${model !== undefined && html` data-model="${model}"`}>
<div class="bar"><div class="tabs" role="group" aria-label="Language">${templates.map(
    ([{ id, name }]) => html`<button type="button" data-choose-language="${id}">${name}</button>`,
  )}</div>${
    usesBody &&
    choices.length > 1 &&
    html`<select aria-label="${model === undefined ? 'Model and mode of the examples' : 'Mode of the example'}" data-choose-example>${choices.map(
      ({ id, words }) => html`<option value="${id}"${id === `${example.model}.${example.mode}` && html` selected`}>${words}</option>`,
    )}</select>`
  }</div>
${templates.map(([language, template]) => variant(language, template, example))}</div>`
}

const variant = ({ id, name }: Language, template: string, example: Example): Html => html`<div class="variant" data-language="${id}">
<p class="name">${name}</p>
${codeBlock(
  html`${piecesOf(template.trimEnd()).map(piece =>
    typeof piece === 'string'
      ? piece
      : html`<span data-fill="${piece.placeholder}"${piece.indent !== '' && html` data-indent="${piece.indent}"`}>${fillPiece(piece, example)}</span>`,
  )}`,
  name,
)}</div>`

/** Every model and mode: `alpha-h3.text-to-video`. */
export const allChoices = ({ models }: Catalog): Sample['choices'] => [...models.values()].flatMap(({ card }) => choicesOf(card, true))

export const choicesOf = (card: { model: string; modes: { name: string }[] }, withModel = false): Sample['choices'] =>
  card.modes.map(({ name }) => ({ id: `${card.model}.${name}`, words: withModel ? `${card.model}, ${name}` : name }))

/** What a browser needs to show another model: fetched when a reader first chooses one. */
export const allExamples = ({ version, models }: Catalog): object => ({
  catalog: version,
  examples: Object.fromEntries(
    [...models.values()].flatMap(({ card }) => card.modes.map(mode => [`${card.model}.${mode.name}`, exampleFor(card, mode)])),
  ),
})
