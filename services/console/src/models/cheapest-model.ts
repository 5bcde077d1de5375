import type { Model, PriceRow } from './model'

/** The available model whose form costs least as it opens, so that starter credits last. Undefined if none is available. */
export function cheapestModel(models: Model[]): Model | undefined {
  const priced = models.filter(({ available }) => available).map(model => ({ model, credits: openingPrice(model) }))
  return priced.toSorted((a, b) => a.credits - b.credits)[0]?.model
}

/** The list price of a request with defaults alone, in the mode that opens. */
export function openingPrice({ modes, default_mode, pricing }: Model): number {
  const properties = modes[default_mode ?? '']?.schema.properties
  const row = pricing?.rows.find(row => properties && isOfDefaults(row, name => properties[name]?.default))
  if (!row) return Number.POSITIVE_INFINITY
  const seconds = Number(properties?.duration?.default ?? properties?.duration?.minimum ?? 1)
  return Math.ceil(row.credits_per_unit * (row.unit === 'second' ? seconds : 1))
}

/** A row without a property is for each of its values. */
const isOfDefaults = (row: PriceRow, defaultOf: (name: string) => unknown): boolean =>
  row.item === 'output' &&
  (['resolution', 'duration', 'generate_audio'] as const).every(name => row[name] === undefined || row[name] === defaultOf(name))
