import { readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { ConfigError } from '@filmgate/kit/environment/variables'
import { readDataFile } from '@filmgate/kit/process/read-data-file'
import { type Static, Type } from '@sinclair/typebox'
import { costFaults } from './route-cost'
import type { RouteTable } from './routing'

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
const names = Type.Array(name)
/** A model's file, named by the model. */
const ModelFile = Type.Object(
  {
    routes: Type.Array(Route, { minItems: 1 }),
    lacks: Type.Optional(names),
    lacks_at: Type.Optional(Type.Record(Type.String(), names)),
  },
  closed,
)
const DefaultsFile = Type.Object({ routes: Type.Array(Route), fields: Type.Optional(Type.Record(Type.String(), FieldMappings)) }, closed)
const defaultsName = 'defaults'

/**
 * Reads folders of routing files: `<model>.yaml` for a model, `defaults.yaml` for what all share. A file takes the place of the
 * file of its name in an earlier folder. Throws one ConfigError that names the faults, 20 at most.
 */
export function readRoutes(folders: string[]): RouteTable {
  const faults: string[] = []
  const paths = new Map(folders.flatMap(folder => filesIn(folder, faults)))
  const table: RouteTable & Required<Pick<RouteTable, 'lacks' | 'lacks_at'>> = { default: [], models: {}, lacks: {}, lacks_at: {} }
  for (const [name, path] of paths) {
    if (name === defaultsName) {
      const { routes = [], fields } = readFile(path, DefaultsFile, faults) ?? {}
      Object.assign(table, { default: routes, fields })
      continue
    }
    const file = readFile(path, ModelFile, faults)
    if (!file) continue
    table.models[name] = file.routes
    table.lacks[name] = file.lacks ?? []
    for (const [provider, lacks] of Object.entries(file.lacks_at ?? {}))
      table.lacks_at[provider] = { ...table.lacks_at[provider], [name]: lacks }
  }
  if (faults.length > 0) throw new ConfigError(faults.slice(0, 20))
  return table
}

/** The routing files of a folder, in the order of their names. */
export const routingFiles = (folder: string): string[] =>
  readdirSync(folder)
    .filter(name => extension.test(name))
    .toSorted()
    .map(name => join(folder, name))

const extension = /\.(ya?ml|json)$/

function filesIn(folder: string, faults: string[]): [name: string, path: string][] {
  try {
    return routingFiles(folder).map(path => [basename(path).replace(extension, ''), path])
  } catch (error) {
    faults.push(`${folder} can’t be read: ${error instanceof Error ? error.message : error}`)
    return []
  }
}

function readFile<S extends typeof ModelFile | typeof DefaultsFile>(path: string, schema: S, faults: string[]): Static<S> | undefined {
  const file = readDataFile(path, schema)
  if ('unreadable' in file) faults.push(`${path} can’t be read: ${file.unreadable}`)
  if ('mismatches' in file) faults.push(...file.mismatches.map(fault => `${path}${fault.path}: ${fault.message}`))
  if (!('data' in file)) return undefined
  for (const [at, { cost }] of file.data.routes.entries())
    if (cost) faults.push(...costFaults(cost).map(fault => `${path}/routes/${at}/cost: ${fault}`))
  return file.data
}
