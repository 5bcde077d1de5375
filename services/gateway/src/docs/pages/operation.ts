import type { Schema } from '../../rules/json-schema'
import { anchorOf } from '../markdown/anchors'
import { blocks, codeSpan, fence, prose, table } from '../markdown/write'
import { type DocPage, linkTo } from '../site/doc-page'
import { typeWords } from './schema-words'

type Parameter = { name: string; in: string; required: boolean; description: string }
type Content = { schema: Schema; example?: unknown; examples?: Record<string, unknown> }
type Answer = { description: string; headers?: Schema; content?: Record<string, Content> }
type RequestBody = { required?: boolean; content: Record<string, Content> }
export type Operation = {
  id: string
  method: string
  /** With its prefix, as it follows the origin. */
  path: string
  tag: string
  summary: string
  description: string
  parameters: Parameter[]
  requestBody?: RequestBody
  responses: Record<string, Answer>
}

/** The operations of the OpenAPI document, in its order. */
export const operationsOf = (paths: Schema): Operation[] =>
  Object.entries(paths as Record<string, Record<string, Schema>>).flatMap(([path, item]) =>
    Object.entries(item).map(([method, { operationId, tags, servers, parameters = [], ...rest }]) => ({
      ...(rest as Pick<Operation, 'summary' | 'description' | 'requestBody' | 'responses'>),
      id: String(operationId),
      method: method.toUpperCase(),
      path: servers ? path : `/api/v1${path}`,
      tag: String((tags as string[])[0]),
      parameters: parameters as Parameter[],
    })),
  )

export const operationPath = (id: string): string => `/docs/api/${id}`

/** A route: what it takes, what it answers, and what can go wrong. `more` follows the request. */
export const operationPage = (operation: Operation, more: () => string | undefined = () => undefined): DocPage => ({
  path: operationPath(operation.id),
  title: operation.summary,
  section: 'API',
  summary: `${operation.method} ${operation.path}`,
  markdown: () =>
    blocks(
      `# ${operation.summary}`,
      `**${operation.method}** \`${operation.path}\``,
      prose(operation.description),
      `<!-- try: ${operation.id} -->`,
      requestText(operation),
      more(),
      '## Answers',
      table(
        ['Status', 'Answer', 'Headers'],
        Object.entries(operation.responses).map(([status, answer]) => answerRow(status, answer)),
      ),
      `Every answer carries \`X-Request-Id\`, and to a request with a key \`RateLimit\` and \`RateLimit-Policy\`.`,
      exampleOfAnswer(operation.responses),
    ),
})

function requestText({ parameters, requestBody }: Operation): string | undefined {
  if (parameters.length === 0 && !requestBody) return undefined
  return blocks(
    '## Request',
    parameters.length > 0 &&
      table(
        ['Parameter', 'In', 'Meaning'],
        parameters.map(({ name, in: place, required, description }) => [
          `${codeSpan(name)}${required ? ' *required*' : ''}`,
          place,
          prose(description),
        ]),
      ),
    requestBody && bodyWords(requestBody),
  )
}

function bodyWords({ content, required }: RequestBody): string {
  const { schema, example } = content['application/json'] ?? {}
  if (!schema) return ''
  if (String(schema.$ref).endsWith('/VideoGenerationRequest'))
    return `The body is JSON, and \`model\` chooses its shape: ${linkTo('Models', '/docs/models')} has a page for each.`
  const form = 'multipart/form-data' in content ? `, or a form: a ${typeWords(content['multipart/form-data']?.schema ?? {})}` : ''
  const shape = typeof schema.$ref === 'string' ? `The body is JSON: a ${typeWords(schema)}${form}.` : 'The body is JSON.'
  return blocks(
    `${shape}${required === false ? ' It may be left out.' : ''}`,
    example !== undefined && fence(JSON.stringify(example, null, 2), 'json'),
  )
}

function answerRow(status: string, { description, headers = {}, content = {} }: Answer): string[] {
  const { schema, examples } = content['application/json'] ?? {}
  const codes = Object.keys(examples ?? {})
  const others = `${'text/csv' in content ? ', or CSV' : ''}${'text/event-stream' in content ? ', or a stream' : ''}`
  const shape = schema ? `${typeWords(schema)}${others}: ` : ''
  const words = codes.length > 0 ? codes.map(name => linkTo(codeSpan(name), '/docs/errors', anchorOf(name))).join(', ') : prose(description)
  const names = Object.keys(headers).filter(name => name !== 'X-Request-Id' && !name.startsWith('RateLimit'))
  return [status, `${shape}${words}`, names.map(codeSpan).join(', ')]
}

function exampleOfAnswer(responses: Record<string, Answer>): string | undefined {
  const [status, answer] = Object.entries(responses).find(([, { content }]) => content?.['application/json']?.example !== undefined) ?? []
  const example = answer?.content?.['application/json']?.example
  if (!status || example === undefined) return undefined
  return blocks(`## Example of ${status}`, fence(JSON.stringify(example, null, 2), 'json'))
}
