import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const folder = join(import.meta.dir, '../../services/dispatcher/routes')

export type FieldMapping = { field?: string; values?: string[] | Record<string, unknown>; min?: number; max?: number }
export type FieldMappings = Record<string, FieldMapping | string>
export type Route = { provider: string; mode?: string; model?: string | Record<string, string>; fields?: FieldMappings }
/** What services/dispatcher/routes says of a model. */
export type ModelRoutes = { routes: Route[]; lacks?: string[]; lacks_at?: Record<string, string[]> }
export type DefaultRoutes = { models: Record<string, ModelRoutes>; fields: Record<string, FieldMappings> }

/** The routes that the dispatcher brings, by model, and the mapping of each provider. */
export function defaultRoutes(): DefaultRoutes {
  const files = readdirSync(folder).map(name => [name.replace('.yaml', ''), Bun.YAML.parse(readFileSync(join(folder, name), 'utf8'))])
  const { defaults, ...models } = Object.fromEntries(files)
  return { models, fields: defaults.fields }
}

/** Writes files for FILMGATE_ROUTES_DIR. */
export function writeRoutes(into: string, models: Record<string, ModelRoutes>): void {
  for (const [model, routes] of Object.entries(models)) writeFileSync(join(into, `${model}.yaml`), JSON.stringify(routes))
}
