import { readFileSync } from 'node:fs'
import { ConfigError } from '@filmgate/kit/environment/variables'
import { Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import builtIn from '../../routes.json' with { type: 'json' }
import type { RouteFile } from './routing'

const Route = Type.Object(
  { maker: Type.String({ minLength: 1, maxLength: 40 }), model: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })) },
  { additionalProperties: false },
)
const Routes = Type.Object(
  { default: Type.Array(Route), models: Type.Record(Type.String(), Type.Array(Route, { minItems: 1 })) },
  { additionalProperties: false },
)

/** The routes that travel with the code, or those of a mounted file. Throws ConfigError that names the fault. */
export function readRoutes(path: string | undefined): RouteFile {
  const routes: unknown = path === undefined ? builtIn : read(path)
  if (Value.Check(Routes, routes)) return routes
  const faults = [...Value.Errors(Routes, routes)].map(fault => `${path ?? 'routes.json'}${fault.path}: ${fault.message}`)
  throw new ConfigError(faults.slice(0, 20))
}

function read(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    throw new ConfigError([`FILMGATE_ROUTES_FILE ${path} can’t be read: ${error instanceof Error ? error.message : error}`])
  }
}
