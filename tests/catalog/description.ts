import Ajv2020 from 'ajv/dist/2020'
import { openAccount } from '../support/account'
import type { Report } from '../support/report'
import { settings } from '../support/settings'
import { subjects } from './cases/subjects'
import { createEstimator } from './estimates'
import { runSchemathesis } from './schemathesis'

type Document = {
  openapi: string
  paths: Record<string, Record<string, { requestBody?: { content: Record<string, { examples: Record<string, { value: unknown }> }> } }>>
  components: { schemas: Record<string, object> }
}

/** The API description is true: its schemas hold what is sent, its examples are taken, and a tool that reads it finds no fault. */
export async function proveDescription(report: Report): Promise<void> {
  const origin = new URL(settings.url).origin
  const document = (await (await fetch(`${origin}/openapi.json`)).json()) as Document
  report.check('the description is OpenAPI 3.1', document.openapi.startsWith('3.1.'), document.openapi)
  await proveExamples(report, document)
  await provePage(report, origin)

  const { apiKey } = await openAccount({ credits: 100_000_000 })
  const result = await runSchemathesis({ document: `${origin}/openapi.json`, base: settings.url, apiKey })
  report.check('schemathesis: no server error, no undocumented status, no schema violation', result.passed, result.output)
  report.check('schemathesis tried something', result.cases > 1_000, `${result.cases} cases: ${result.output}`)
  report.figure('description.schemathesis_cases', result.cases)
}

/** One example a model and mode; its own schema and the server take it. */
async function proveExamples(report: Report, { paths, components }: Document): Promise<void> {
  const estimate = createEstimator((await openAccount({ credits: 1 })).apiKey)
  const ajv = new Ajv2020({ strict: false })
  const examples = paths['/video/generations']?.post?.requestBody?.content['application/json']?.examples ?? {}
  const missing = subjects.filter(({ model, mode }) => !(`${model.model}.${mode}` in examples))
  report.check(
    'every model and mode has an example',
    missing.length === 0,
    missing.map(({ model, mode }) => `${model.model} ${mode}`).join(),
  )
  for (const [name, { value }] of Object.entries(examples)) {
    report.check(`the example ${name} fits its schema`, ajv.validate(components.schemas[name] ?? false, value), ajv.errorsText())
    const answer = await estimate(JSON.stringify(value))
    report.check(`the example ${name} is taken`, answer.status === 200, answer.text)
  }
  report.figure('description.examples', Object.keys(examples).length)
}

/** The reference page is one file that asks no other host for anything, and shows every example. */
async function provePage(report: Report, origin: string): Promise<void> {
  const response = await fetch(`${origin}/docs`)
  const text = await response.text()
  report.check(
    'the reference page is there',
    response.status === 200 && (response.headers.get('content-type') ?? '').startsWith('text/html'),
  )
  const policy = response.headers.get('content-security-policy') ?? ''
  report.check('its policy lets it load nothing', policy.includes("default-src 'none'") && policy.includes("connect-src 'self'"), policy)
  report.check('it names no other host to load from', !/\b(src|href)="(https?:)?\/\//.test(text) && !/@import|url\(/.test(text))
  const missing = subjects.filter(({ model, mode }) => !text.includes(`data-example="${model.model}.${mode}"`))
  report.check('it lets every model and mode be tried', missing.length === 0)
}
