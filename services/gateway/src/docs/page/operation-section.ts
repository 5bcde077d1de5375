import { type Html, html } from '@filmgate/kit/http/html'
import type { Schema } from '../../rules/json-schema'
import { code, coded, heading, type Row, table } from './headings'
import { typeWords } from './schema-section'

type Parameter = { name: string; in: string; required: boolean; description: string }
type Content = { schema: Schema; example?: unknown; examples?: Record<string, unknown> }
type Answer = { description: string; headers?: Schema; content?: Record<string, Content> }
export type PathItem = Record<
  string,
  {
    operationId: string
    summary: string
    description: string
    parameters?: Parameter[]
    requestBody?: Schema
    responses: Record<string, Answer>
    servers?: object[]
  }
>

/** A route of the OpenAPI document for people. */
export const operationSections = (paths: Schema): Html[] =>
  Object.entries(paths as Record<string, PathItem>).flatMap(([path, item]) =>
    Object.entries(item).map(
      ([method, { operationId, summary, description, parameters = [], requestBody, responses, servers }]) => html`
${heading(3, operationId, summary)}
<p><span class="method">${method.toUpperCase()}</span> <code>${servers ? path : `/api/v1${path}`}</code></p>
<p>${coded(description)}</p>
${requestBody !== undefined && bodyWords(requestBody)}
${
  parameters.length > 0 &&
  table(
    `Parameters of ${summary}`,
    ['Parameter', 'In', 'Meaning'],
    parameters.map(({ name, in: place, required, description }) => ({
      cells: [html`<code>${name}</code>${required && html` <span class="soft">required</span>`}`, place, coded(description)],
    })),
  )
}
${table(
  `Answers of ${summary}`,
  ['Status', 'Answer', 'Headers'],
  Object.entries(responses).map(([status, answer]) => answerRow(status, answer)),
)}
${exampleOfAnswer(responses, summary)}`,
    ),
  )

function bodyWords({ content }: Schema): Html {
  const { schema } = (content as Record<string, Content>)['application/json'] ?? {}
  const words = html`The body is a ${schema && typeWords(schema)}`
  return String(schema?.$ref).endsWith('/VideoGenerationRequest')
    ? html`<p>${words}: <code>model</code> chooses its shape, see <a href="#models">Models</a>.</p>`
    : html`<p>${words}.</p>`
}

function answerRow(status: string, { description, headers = {}, content = {} }: Answer): Row {
  const { schema, examples } = content['application/json'] ?? {}
  const codes = Object.keys(examples ?? {})
  const shape =
    schema && html`${typeWords(schema)}${'text/csv' in content && ', or CSV'}${'text/event-stream' in content && ', or a stream'}`
  const words =
    codes.length > 0
      ? html`${codes.map((name, index) => html`${index > 0 && ', '}<a href="#error-${name}"><code>${name}</code></a>`)}`
      : html`${coded(description)}`
  const names = Object.keys(headers).filter(name => name !== 'X-Request-Id' && !name.startsWith('RateLimit'))
  return { cells: [status, html`${shape && html`${shape}: `}${words}`, names.join(', ')] }
}

function exampleOfAnswer(responses: Record<string, Answer>, summary: string): Html | false {
  const [status, answer] = Object.entries(responses).find(([, { content }]) => content?.['application/json']?.example !== undefined) ?? []
  const example = answer?.content?.['application/json']?.example
  if (!status || example === undefined) return false
  const text = JSON.stringify(example, null, 2)
  return html`<details><summary>Example of ${status}</summary>${code(text, `Example answer of ${summary}`)}</details>`
}
