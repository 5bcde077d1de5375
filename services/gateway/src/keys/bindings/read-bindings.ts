import { Failure } from '@filmgate/kit/failure'
import { parseRange } from '@filmgate/kit/safe-fetch/range'
import { Type } from '@sinclair/typebox'
import type { Catalog } from '../../catalog/catalog-table'
import type { Reason } from '../../errors'
import type { Issue } from '../../issues/issue'
import { either, show } from '../../issues/wording'

/** Which models a key may ask for, and from which ranges of addresses; null: from all. */
export type KeyBindings = { models: string[] | null; addresses: string[] | null }

const list = (itemsMax: number, charactersMax: number) =>
  Type.Array(Type.String({ minLength: 1, maxLength: charactersMax }), { minItems: 1, maxItems: itemsMax })
const models = list(100, 64)
const addresses = list(50, 50)

/** As a new key has them: what is left out binds to nothing. */
export const newBindings = { models: Type.Optional(models), addresses: Type.Optional(addresses) }

/** What a key is to be bound to from now on; null unbinds it, what is left out stays. */
export const KeyChangesBody = Type.Object(
  { models: Type.Optional(Type.Union([models, Type.Null()])), addresses: Type.Optional(Type.Union([addresses, Type.Null()])) },
  { additionalProperties: false },
)

type Given = { models?: string[] | null; addresses?: string[] | null }

/** Those that were given, each once; throws a refusal that names each model and each range that there is not. */
export function readBindings({ models, addresses }: Given, currentCatalog: () => Catalog): Partial<KeyBindings> {
  const issues = [...(models ? modelIssues(models, currentCatalog()) : []), ...(addresses ?? []).flatMap(rangeIssues)]
  if (issues.length > 0) throw new Failure<Reason>('invalid_request', { details: { issues } })
  return {
    ...(models !== undefined && { models: models && [...new Set(models)] }),
    ...(addresses !== undefined && { addresses: addresses && [...new Set(addresses)] }),
  }
}

const modelIssues = (names: string[], catalog: Catalog): Issue[] =>
  names.flatMap((name, index) =>
    catalog.models.has(name)
      ? []
      : { path: `models[${index}]`, rule: 'known_model', message: `models must be names of models, and ${show(name)} is none` },
  )

const mapped = parseRange('::ffff:0:0/96')

function rangeIssues(text: string, index: number): Issue[] {
  const fault = faultOfRange(text)
  return fault === undefined ? [] : [{ path: `addresses[${index}]`, rule: 'address_range', message: `${show(text)} ${fault}` }]
}

function faultOfRange(text: string): string | undefined {
  try {
    const range = parseRange(text)
    const base = parseRange(text.replace(/\/.*$/, ''))
    if (text !== text.trim()) return 'has white space at an end'
    if (base.first !== range.first) return 'is not the first address of its range'
    // Clients of IPv4 are known by their addresses of IPv4, whatever the socket says.
    if (range.family === 6 && range.first >= mapped.first && range.last <= mapped.last) return 'must be written as a range of IPv4'
    return undefined
  } catch {
    return 'must be an address or a range such as 203.0.113.0/24 or 2001:db8::/32'
  }
}

/** Refuses (400) a model that the key is not bound to. */
export function throwUnlessBound({ models }: { models?: readonly string[] | null }, model: string): void {
  if (!models || models.includes(model)) return
  const issue = { path: 'model', rule: 'key_models', message: `model must be ${either(models)}: this API key is bound to that` }
  throw new Failure<Reason>('invalid_request', { details: { issues: [issue] } })
}
