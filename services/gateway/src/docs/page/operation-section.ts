import type { Schema } from '../../models/schema-of-field'
import { type Html, html } from './html'

type Parameter = { name: string; in: string; required: boolean; description: string }
type Answer = { description: string }
export type PathItem = Record<
  string,
  { operationId: string; summary: string; description: string; parameters?: Parameter[]; responses: Record<string, Answer> }
>

/** A route of the OpenAPI document for people. */
export const operationSections = (paths: Schema): Html[] =>
  Object.entries(paths as Record<string, PathItem>).flatMap(([path, item]) =>
    Object.entries(item).map(
      ([method, { operationId, summary, description, parameters = [], responses }]) => html`
<h3 id="${operationId}">${summary}</h3>
<p><span class="method">${method.toUpperCase()}</span> <code>/api/v1${path}</code></p>
<p>${description}</p>
${
  parameters.length > 0 &&
  html`<div class="scroll"><table><thead><tr><th>Parameter</th><th>In</th><th>Meaning</th></tr></thead><tbody>
${parameters.map(({ name, in: place, required, description }) => html`<tr><td><code>${name}</code>${required && html` <span class="soft">required</span>`}</td><td>${place}</td><td>${description}</td></tr>`)}
</tbody></table></div>`
}
<div class="scroll"><table><thead><tr><th>Status</th><th>Answer</th></tr></thead><tbody>
${Object.entries(responses).map(([status, { description }]) => html`<tr><td>${status}</td><td>${paragraphs(description)}</td></tr>`)}
</tbody></table></div>`,
    ),
  )

const paragraphs = (text: string): Html[] => text.split('\n\n').map(line => html`<div>${coded(line)}</div>`)

/** Turns `word` into a code element. */
const coded = (text: string): (Html | string)[] =>
  text.split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part))
