import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { cached } from '../stack/fetch/cached'
import { mustRun } from '../stack/fetch/run'
import { root } from '../stack/instance'
import type { Schema } from './pieces'

/** Go modules that hold the definitions: Kubernetes' own, and those of the kinds that operators add. */
const kubernetes = 'k8s.io/kubernetes@v1.36.3'
const customKinds = {
  'github.com/kedacore/keda/v2@v2.21.0': 'config/crd/bases',
  'sigs.k8s.io/gateway-api@v1.3.0': 'config/crd/standard',
  'github.com/prometheus-operator/prometheus-operator@v0.85.0': 'example/prometheus-operator-crd',
  'github.com/cloudnative-pg/cloudnative-pg@v1.27.0': 'config/crd/bases',
}

/** A folder of JSON schemas, a file a kind and version, in which nothing unknown is accepted: what kubeconform reads. */
export function kubernetesSchemas(): Promise<string> {
  return cached('kubernetes-schemas-1.36.3', async dir => {
    const openapi = await Bun.file(join(await moduleDir(kubernetes), 'api/openapi-spec/swagger.json')).json()
    for (const [file, schema] of builtInKinds(openapi.definitions)) await Bun.write(join(dir, file), JSON.stringify(schema))
    for (const [module, folder] of Object.entries(customKinds)) {
      const source = join(await moduleDir(module), folder)
      for (const name of readdirSync(source).filter(name => name.endsWith('.yaml')))
        for (const [file, schema] of customKindsOf(await Bun.file(join(source, name)).text()))
          await Bun.write(join(dir, file), JSON.stringify(schema))
    }
  })
}

async function moduleDir(module: string): Promise<string> {
  const empty = join(root, '.local/cache/go')
  mkdirSync(empty, { recursive: true })
  return JSON.parse(await mustRun(`Fetching the Go module ${module}`, ['go', 'mod', 'download', '-json', module], { cwd: empty })).Dir
}

type Definitions = Record<string, Schema & { 'x-kubernetes-group-version-kind'?: { group: string; version: string; kind: string }[] }>

function* builtInKinds(definitions: Definitions): Generator<[string, Schema]> {
  for (const [name, definition] of Object.entries(definitions))
    for (const { group, version, kind } of definition['x-kubernetes-group-version-kind'] ?? [])
      if (!/(DeleteOptions|WatchEvent)$/.test(name)) yield [fileName(kind, group, version), strict(definition, definitions, [name])]
}

function* customKindsOf(yaml: string): Generator<[string, Schema]> {
  for (const document of [Bun.YAML.parse(yaml)].flat() as { kind?: string; spec: CustomSpec }[]) {
    if (document?.kind !== 'CustomResourceDefinition') continue
    const { group, names, versions } = document.spec
    for (const { name, schema } of versions) {
      const given = strict(schema.openAPIV3Schema, {}, [])
      yield [fileName(names.kind, group, name), { ...given, properties: { ...(given.properties as object), metadata: { type: 'object' } } }]
    }
  }
}

type CustomSpec = { group: string; names: { kind: string }; versions: { name: string; schema: { openAPIV3Schema: Schema } }[] }

const fileName = (kind: string, group: string, version: string) =>
  `${kind.toLowerCase()}${group ? `-${group.split('.')[0]}` : ''}-${version}.json`

/** References resolved, unknown properties refused, what need not be there allowed to be null. */
function strict(schema: Schema, definitions: Definitions, stack: string[]): Schema {
  if (typeof schema.$ref === 'string') {
    const name = schema.$ref.split('/').at(-1) ?? ''
    const definition = definitions[name]
    // A type that holds itself is left open where it does.
    return !definition || stack.includes(name) ? {} : strict(definition, definitions, [...stack, name])
  }
  if (schema['x-kubernetes-int-or-string'] || schema.format === 'int-or-string') return { type: ['string', 'integer'] }
  const kept: Schema = {}
  for (const [keyword, value] of Object.entries(schema)) {
    if (keyword.startsWith('x-') || ['description', 'format', 'default', 'nullable'].includes(keyword)) continue
    if (keyword === 'properties') {
      const required = (schema.required as string[] | undefined) ?? []
      kept.properties = Object.fromEntries(
        Object.entries(value as Record<string, Schema>).map(([name, inner]) => [
          name,
          orNull(strict(inner, definitions, stack), required.includes(name)),
        ]),
      )
    } else if ((keyword === 'items' || keyword === 'additionalProperties') && typeof value === 'object')
      kept[keyword] = strict(value as Schema, definitions, stack)
    else kept[keyword] = value
  }
  if (kept.properties && kept.additionalProperties === undefined && !schema['x-kubernetes-preserve-unknown-fields'])
    kept.additionalProperties = false
  return kept
}

const orNull = (schema: Schema, required: boolean): Schema =>
  !required && typeof schema.type === 'string' ? { ...schema, type: [schema.type, 'null'] } : schema
