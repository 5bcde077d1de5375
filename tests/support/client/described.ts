import Ajv2020, { type ValidateFunction } from 'ajv/dist/2020'
import { settings } from '../settings'

type Response = { $ref?: string; headers?: Record<string, unknown>; content?: Record<string, { schema: object }> }
type Document = {
  paths: Record<string, Record<string, { responses: Record<string, Response> }>>
  components: { schemas: Record<string, { additionalProperties?: boolean }> }
}
export type Described = {
  /** What is wrong with an answer by its description; empty where nothing is. */
  faults(method: string, path: string, answer: { status: number; headers: Headers; text: string }): string[]
}

/** Headers that mean something to a client: one that an answer has must be described. */
const meaningful =
  /^(x-request-id|ratelimit|ratelimit-policy|retry-after|idempotent-replayed|preference-applied|www-authenticate|etag|link|allow|location|openai-poll-after-ms|x-should-retry)$/
const beyondRoutes = (error: string): Response => ({
  headers: { 'X-Request-Id': {}, Allow: {}, 'Retry-After': {}, RateLimit: {}, 'RateLimit-Policy': {} },
  content: { 'application/json': { schema: { $ref: `api#/components/schemas/${error}` } } },
})

let loading: Promise<Described> | undefined

/** The API's description of its answers, read from the gateway once. */
export function apiDescription(): Promise<Described> {
  loading ??= readDocument()
    .then(described)
    .catch(error => {
      loading = undefined
      throw error
    })
  return loading
}

async function readDocument(): Promise<Document> {
  const response = await fetch(`${new URL(settings.url).origin}/openapi.json`)
  if (!response.ok) throw new Error(`the API's description is not there: ${response.status}`)
  return (await response.json()) as Document
}

function described(document: Document): Described {
  // The contract leaves details open to what may come; what comes today must be described.
  const { ErrorDetails } = document.components.schemas
  if (ErrorDetails) ErrorDetails.additionalProperties = false
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  ajv.addFormat('date-time', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/)
  ajv.addFormat('date', /^\d{4}-\d\d-\d\d$/)
  ajv.addFormat('uri', (value: string) => URL.canParse(value))
  ajv.addSchema(JSON.parse(JSON.stringify(document).replaceAll('"#/components/', '"api#/components/')), 'api')
  const compiled = new Map<string, ValidateFunction>()
  const validatorOf = (schema: object): ValidateFunction => {
    const key = JSON.stringify(schema).replaceAll('"#/components/', '"api#/components/')
    const known = compiled.get(key) ?? ajv.compile(JSON.parse(key))
    compiled.set(key, known)
    return known
  }
  const routes = Object.entries(document.paths).map(([path, item]) => ({
    form: new RegExp(`^${path.replace(/\{[^}]+\}/, '[^/]+')}$`),
    item,
  }))

  function faults(method: string, path: string, { status, headers, text }: { status: number; headers: Headers; text: string }): string[] {
    const operation = routes.find(({ form }) => form.test(path.replace(/\?.*/s, '')))?.item[method.toLowerCase()]
    const beyond = beyondRoutes(path.startsWith('/openai/v1') ? 'OpenAiError' : 'ErrorResponse')
    const response = operation?.responses[status] ?? (operation || ![404, 405].includes(status) ? undefined : beyond)
    if (!response) return [`the status ${status} is not described`]
    const known = new Set(Object.keys(response.headers ?? {}).map(name => name.toLowerCase()))
    const unknown = [...headers.keys()].filter(name => meaningful.test(name) && !known.has(name))
    const found = unknown.map(name => `the header ${name} is not described for ${status}`)
    if (!headers.has('x-request-id')) found.push('there is no X-Request-Id')
    if (!response.content) return [...found, ...(text ? [`${status} has a body`] : [])]
    const type = (headers.get('content-type') ?? '').replace(/;.*/, '')
    const content = response.content[type]
    if (!content) return [...found, `${type || 'no content type'} is not described for ${status}`]
    if (type !== 'application/json') return found
    const validate = validatorOf(content.schema)
    if (!validate(JSON.parse(text))) found.push(ajv.errorsText(validate.errors))
    return found
  }
  return { faults }
}
