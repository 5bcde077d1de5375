import { type KindLimits, type Mode, type Model, mediaKinds, type Property } from '../models/model'

/**
 * What all the models take in a mode: the fields that each has, with the values that each accepts. A field without a
 * common value is left to each model's default. Undefined if a model lacks the mode, or needs a field that others lack.
 */
export function commonMode(models: Model[], modeName: string): Mode | undefined {
  const modes = models.flatMap(({ modes }) => modes[modeName] ?? [])
  const [first, ...others] = modes
  if (!first || modes.length < models.length) return undefined
  const common = Object.entries(first.schema.properties).flatMap(([name, property]) => {
    const shared =
      property.const === undefined ? commonProperty([property, ...others.map(each => each.schema.properties[name])]) : undefined
    return shared ? [[name, shared] as const] : []
  })
  const properties: Record<string, Property> = Object.fromEntries(common)
  const required = [...new Set(modes.flatMap(mode => mode.required))].filter(name => name !== 'model' && name !== 'mode')
  if (required.some(name => properties[name] === undefined)) return undefined
  const fields = first.fields.filter(name => properties[name] !== undefined)
  return { required, fields, media_limits: commonLimits(modes), schema: { properties } }
}

/** The modes that all the models have in common, in the order of the first. */
export const commonModes = (models: Model[]): string[] =>
  Object.keys(models[0]?.modes ?? {}).filter(name => commonMode(models, name) !== undefined)

function commonProperty(each: (Property | undefined)[]): Property | undefined {
  const properties = each.filter(property => property !== undefined)
  const [first] = properties
  if (!first || properties.length < each.length || properties.some(({ type }) => type !== first.type)) return undefined
  const values = first.default
  const sameDefault = values !== undefined && properties.every(property => property.default === values)
  // An unchecked box says what its default says, so models that differ in it have no common box.
  if (first.type === 'boolean' && properties.some(property => (property.default ?? false) !== (values ?? false))) return undefined
  const items = first.items && commonProperty(properties.map(property => property.items))
  const shared: Property = {
    ...first,
    ...boundsOf(properties),
    ...(items && { items }),
  }
  if (!sameDefault) delete shared.default
  return narrowed(shared, properties)
}

/** The bounds that hold for each; a missing one is no bound. */
const boundsOf = (properties: Property[]): Partial<Property> => ({
  ...largest('minimum', properties),
  ...smallest('maximum', properties),
  ...largest('minItems', properties),
  ...smallest('maxItems', properties),
  ...smallest('maxLength', properties),
})

const present = <T extends object>(name: keyof T, all: T[]): number[] => all.flatMap(one => (one[name] as number | undefined) ?? [])
const largest = <T extends object>(name: keyof T, all: T[]): Partial<T> =>
  (present(name, all).length > 0 ? { [name]: Math.max(...present(name, all)) } : {}) as Partial<T>
const smallest = <T extends object>(name: keyof T, all: T[]): Partial<T> =>
  (present(name, all).length > 0 ? { [name]: Math.min(...present(name, all)) } : {}) as Partial<T>

/** With the choices that each accepts, if one has choices; undefined if no value is left. */
function narrowed(shared: Property, properties: Property[]): Property | undefined {
  const { minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY } = shared
  if (minimum > maximum) return undefined
  const choices = properties.flatMap(property => (property.enum ? [property.enum] : []))
  if (choices.length === 0) return shared
  const left = choices[0]?.filter(
    value => choices.every(all => all.includes(value)) && (typeof value === 'string' || (value >= minimum && value <= maximum)),
  )
  return left && left.length > 0 ? { ...shared, enum: left } : undefined
}

/** The strictest limits: a file within them is accepted by each. */
function commonLimits(modes: Mode[]): Mode['media_limits'] {
  const limits = modes.flatMap(({ media_limits }) => media_limits ?? [])
  if (limits.length < modes.length) return null
  const kinds = mediaKinds.flatMap(kind => {
    const all = limits.flatMap(each => each[kind] ?? [])
    return all.length < modes.length ? [] : [[kind, strictest(all)] as const]
  })
  return { ...Object.fromEntries(kinds), total_bytes_max: Math.min(...limits.map(each => each.total_bytes_max)) }
}

const strictest = (all: KindLimits[]): KindLimits => ({
  formats: (all[0]?.formats ?? []).filter(format => all.every(({ formats }) => formats.includes(format))),
  ...smallest('bytes_max', all),
  ...largest('width_min', all),
  ...smallest('width_max', all),
  ...largest('seconds_min', all),
  ...smallest('seconds_max', all),
})
