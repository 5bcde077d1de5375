import Ajv2020 from 'ajv/dist/2020'
import fc from 'fast-check'
import { openAccount } from '../support/client/account'
import { settings } from '../support/settings'
import type { Report } from '../support/suite/report'
import { bodies } from './bodies/bodies'
import { createJudge } from './bodies/judge'
import { subjects } from './cases/subjects'
import { createEstimator } from './models/estimates'
import type { PublishedCatalog } from './models/published-models'
import { runSchemathesis } from './schemathesis'

type Document = {
  openapi: string
  components: { schemas: Record<string, object>; examples: Record<string, { value: unknown }> }
}

const bodiesMax = 20_000

/** The API description is true: its schemas hold what is sent, its examples are taken, and a tool that reads it finds no fault. */
export async function proveDescription(report: Report): Promise<void> {
  const origin = new URL(settings.url).origin
  const document = (await (await fetch(`${origin}/openapi.json`)).json()) as Document
  report.check('the description is OpenAPI 3.1', document.openapi.startsWith('3.1.'), document.openapi)
  proveMeanings(report, document)
  await proveExamples(report, document)
  await proveShapes(report, document)
  await provePage(report, origin)

  const { apiKey } = await openAccount({ credits: 100_000_000 })
  const openAi = '^/openai/'
  const [native, ofOpenAi] = [
    await runSchemathesis({ document: `${origin}/openapi.json`, base: settings.url, apiKey, paths: { exclude: openAi } }),
    await runSchemathesis({ document: `${origin}/openapi.json`, base: origin, apiKey, paths: { include: openAi } }),
  ]
  for (const { passed, output } of [native, ofOpenAi])
    report.check('schemathesis: no server error, no undocumented status, no schema violation', passed, output)
  report.check('schemathesis tried something', native.cases > 1_000, `${native.cases} cases: ${native.output}`)
  report.check('schemathesis tried something of OpenAI’s API', ofOpenAi.cases > 100, `${ofOpenAi.cases} cases: ${ofOpenAi.output}`)
  report.figure('description.schemathesis_cases', native.cases + ofOpenAi.cases)
}

/** Each field of each model's request, and of each answer, says what it means. */
function proveMeanings(report: Report, { components }: Document): void {
  const schemas = Object.entries(components.schemas) as [string, { properties?: Record<string, { description?: string; $ref?: string }> }][]
  const fields = schemas.flatMap(([name, { properties = {} }]) =>
    Object.entries(properties).map(([field, schema]) => ({ field: `${name}.${field}`, ...schema })),
  )
  const silent = fields.filter(({ description, $ref }) => !description && !$ref).map(({ field }) => field)
  report.check('every field says what it means', silent.length === 0, silent.slice(0, 20).join())
  report.figure('description.fields', fields.length)
}

/** One example a model and mode; the document's shape of requests and the server take it. */
async function proveExamples(report: Report, { components }: Document): Promise<void> {
  const estimate = createEstimator((await openAccount({ credits: 1 })).apiKey)
  const fits = requestValidator(components)
  const missing = subjects.filter(({ model, mode }) => !(`${model.model}.${mode}` in components.examples))
  report.check(
    'every model and mode has an example',
    missing.length === 0,
    missing.map(({ model, mode }) => `${model.model} ${mode}`).join(),
  )
  for (const [name, { value }] of Object.entries(components.examples)) {
    report.check(`the example ${name} fits its schema`, fits(value))
    const answer = await estimate(JSON.stringify(value))
    report.check(`the example ${name} is taken`, answer.status === 200, answer.text)
  }
  report.figure('description.examples', Object.keys(components.examples).length)
}

/** The document's one shape a model says of a body what the schemas of GET /models say, which are one a mode. */
async function proveShapes(report: Report, { components }: Document): Promise<void> {
  const { api } = await openAccount({ credits: 1 })
  const catalog: PublishedCatalog = JSON.parse((await api.get('/models')).text)
  const judge = createJudge({ ...catalog, data: catalog.data.map(model => ({ ...model, rules: [] })) })
  const fits = requestValidator(components)
  const seed = Date.now() & 0x7fffffff
  const tried = fc.sample(bodies(catalog), { numRuns: bodiesMax, seed })
  const apart = tried.filter(body => judge(body) !== fits(body))
  const share = tried.filter(fits).length / tried.length
  report.check('the document and GET /models say the same of every body', apart.length === 0, `seed ${seed}: ${JSON.stringify(apart[0])}`)
  report.check('neither fitting nor unfitting bodies are rare', share > 0.25 && share < 0.75, String(share))
  report.figure('description.bodies', tried.length)
}

function requestValidator(components: Document['components']): (body: unknown) => boolean {
  const schema = { $ref: '#/components/schemas/VideoGenerationRequest', components }
  const validate = new Ajv2020({ strict: false, validateFormats: false }).compile(schema)
  return body => validate(body)
}

/** The reference loads from its own host alone, and shows every example. */
async function provePage(report: Report, origin: string): Promise<void> {
  const response = await fetch(`${origin}/docs`)
  const text = await response.text()
  report.check(
    'the reference page is there',
    response.status === 200 && (response.headers.get('content-type') ?? '').startsWith('text/html'),
  )
  const policy = response.headers.get('content-security-policy') ?? ''
  const strict = ["default-src 'none'", "script-src 'self'", "style-src 'self'", "connect-src 'self'"].every(part => policy.includes(part))
  report.check('its policy lets it load from its own host alone', strict && !policy.includes('unsafe'), policy)
  const loaded = [...text.matchAll(/<(?:link|script)[^>]*(?:href|src)="([^"]+)"/g)].map(([, url]) => url ?? '')
  for (const url of loaded.filter(each => each !== 'data:,')) {
    const answer = url.startsWith('/docs/') ? await fetch(`${origin}${url}`) : undefined
    const typed = answer?.headers.get('x-content-type-options') === 'nosniff'
    report.check(`${url} is there, as what it is`, answer?.status === 200 && typed, String(answer?.status))
  }
  // A link, as to the console, loads nothing.
  const loadsElsewhere = /<(?!a )[a-z]+ [^>]*\b(src|href)="(https?:)?\/\//.test(text) || /@import|url\(/.test(text)
  report.check('it names no other host to load from', !loadsElsewhere)
  const form = await (await fetch(`${origin}/docs/try-it`)).text()
  const missing = subjects.filter(({ model, mode }) => !form.includes(`<option value="${model.model}.${mode}">`))
  report.check('it lets every model and mode be tried', missing.length === 0)
  const root = await fetch(`${origin}/`, { redirect: 'manual' })
  report.check('GET / leads to it', root.status === 302 && root.headers.get('location') === '/docs', String(root.status))
}
