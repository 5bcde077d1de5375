import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { defaultRoutes, type Route } from '../default-routes'
import { clientForms, clientVersion, type Form } from './client-forms'

const root = resolve(import.meta.dir, '../../..')
const file = join(root, 'services/simulator/src/fal/endpoints.json')

const toFal = ({ provider }: Route) => provider === 'fal'

/** Our models that the default routes have fal for. */
export const routedModels = (): string[] =>
  Object.entries(defaultRoutes().models).flatMap(([model, { routes }]) => (routes.some(toFal) ? [model] : []))

/** The names of fal's models that the default routes have. */
function routedEndpoints(): string[] {
  const named = Object.values(defaultRoutes().models).flatMap(({ routes }) => routes.filter(toFal).map(({ model }) => model))
  return [...new Set(named.flatMap(model => (typeof model === 'object' ? Object.values(model) : [model ?? ''])))]
}

/** What the fake of the simulator has to hold, of the endpoints that the published client knows. */
export const wantedForms = () => ({ source: `@fal-ai/client ${clientVersion}`, endpoints: clientForms(routedEndpoints()) })

export const keptForms = (): unknown => JSON.parse(readFileSync(file, 'utf8'))

const fieldLines = (form: Form): string =>
  Object.entries(form)
    .map(([name, field]) => `${JSON.stringify(name)}: ${JSON.stringify(field)}`)
    .join(',\n')

/** `bun tests/providers/fal/write-forms.ts` writes what the published client's types say into the simulator's fake. */
if (import.meta.main) {
  const { source, endpoints } = wantedForms()
  // A field a line, which the formatter leaves as it is.
  const forms = Object.entries(endpoints).map(([name, form]) => `${JSON.stringify(name)}: {\n${fieldLines(form)}\n}`)
  await Bun.write(file, `{\n"source": ${JSON.stringify(source)},\n"endpoints": {\n${forms.join(',\n')}\n}\n}\n`)
  Bun.spawnSync([process.execPath, join(root, 'node_modules/.bin/biome'), 'format', '--write', file])
}
