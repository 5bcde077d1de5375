import { readFileSync } from 'node:fs'
import { ConfigError } from '@filmgate/kit/environment/variables'
import { Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import builtIn from '../../routes.json' with { type: 'json' }
import { costFaults } from './route-cost'
import type { RouteFile } from './routing'

const name = Type.String({ minLength: 1, maxLength: 200 })
const closed = { additionalProperties: false }
const oneOf = <const T extends string[]>(...values: T) => Type.Union(values.map(value => Type.Literal(value as T[number])))
const WireValue = Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()])
const FieldMapping = Type.Union([
  name,
  Type.Object(
    {
      field: Type.Optional(name),
      values: Type.Optional(Type.Union([Type.Array(Type.String()), Type.Record(Type.String(), WireValue)])),
      min: Type.Optional(Type.Integer()),
      max: Type.Optional(Type.Integer()),
      quoted: Type.Optional(Type.Boolean()),
      characters_max: Type.Optional(Type.Integer({ minimum: 1 })),
      items_max: Type.Optional(Type.Integer({ minimum: 1 })),
    },
    closed,
  ),
])
const FieldMappings = Type.Record(Type.String(), FieldMapping)
/** A thousand dollars at most: times the units that a provider may tell, a row and a number still hold it. */
const microUsd = Type.Integer({ minimum: 0, maximum: 1_000_000_000 })
const Price = Type.Object(
  {
    micro_usd: microUsd,
    per: oneOf('second', 'generation', 'million_tokens', 'input_image', 'input_second', 'unit'),
    tokens_per_second: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000 })),
    free: Type.Optional(Type.Integer({ minimum: 1 })),
    mode: Type.Optional(name),
    resolution: Type.Optional(name),
    duration: Type.Optional(Type.Integer({ minimum: 1 })),
    audio: Type.Optional(Type.Boolean()),
    videos: Type.Optional(Type.Boolean()),
  },
  closed,
)
const sentence = Type.String({ minLength: 1, maxLength: 500 })
const RouteCost = Type.Object(
  {
    prices: Type.Optional(Type.Array(Price, { minItems: 1 })),
    unit_micro_usd: Type.Optional(microUsd),
    unknown: Type.Optional(sentence),
    source: Type.Optional(oneOf('page', 'public-list', 'second-hand')),
    as_of: Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\d$' }),
    note: Type.Optional(sentence),
  },
  closed,
)
const Route = Type.Object(
  {
    provider: Type.String({ minLength: 1, maxLength: 40 }),
    model: Type.Optional(Type.Union([name, Type.Record(Type.String(), name, { minProperties: 1 })])),
    mode: Type.Optional(name),
    fields: Type.Optional(FieldMappings),
    always: Type.Optional(Type.Record(Type.String(), WireValue)),
    credits_max: Type.Optional(Type.Integer({ minimum: 1 })),
    source: Type.Optional(Type.Union([Type.Literal('sdk'), Type.Literal('page'), Type.Literal('second-hand')])),
    cost: Type.Optional(RouteCost),
  },
  closed,
)
const Lacks = Type.Record(Type.String(), Type.Array(name))
const Routes = Type.Object(
  {
    default: Type.Array(Route),
    models: Type.Record(Type.String(), Type.Array(Route, { minItems: 1 })),
    fields: Type.Optional(Type.Record(Type.String(), FieldMappings)),
    lacks: Type.Optional(Lacks),
    lacks_at: Type.Optional(Type.Record(Type.String(), Lacks)),
  },
  closed,
)

/** The routes that travel with the code, or those of a mounted file. Throws ConfigError that names the fault. */
export function readRoutes(path: string | undefined): RouteFile {
  const routes: unknown = path === undefined ? builtIn : read(path)
  const faults = Value.Check(Routes, routes)
    ? costFaultsOf(routes)
    : [...Value.Errors(Routes, routes)].map(fault => `${fault.path}: ${fault.message}`)
  if (Value.Check(Routes, routes) && faults.length === 0) return routes
  throw new ConfigError(faults.slice(0, 20).map(fault => `${path ?? 'routes.json'}${fault}`))
}

const costFaultsOf = ({ models }: RouteFile): string[] =>
  Object.entries(models).flatMap(([model, routes]) =>
    routes.flatMap(({ cost }, at) => (cost ? costFaults(cost).map(fault => `/models/${model}/${at}/cost: ${fault}`) : [])),
  )

function read(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    throw new ConfigError([`FILMGATE_ROUTES_FILE ${path} can’t be read: ${error instanceof Error ? error.message : error}`])
  }
}
