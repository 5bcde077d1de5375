/** A property of a request, as in the card's JSON Schema. */
export type Property = {
  type?: 'string' | 'integer' | 'boolean' | 'array'
  const?: string
  enum?: (string | number)[]
  minimum?: number
  maximum?: number
  minItems?: number
  maxItems?: number
  maxLength?: number
  items?: Property
  default?: string | number | boolean
}

export const mediaKinds = ['image', 'video', 'audio'] as const
export type MediaKind = (typeof mediaKinds)[number]

/** A missing limit means no limit. */
export type KindLimits = {
  formats: string[]
  bytes_max?: number
  width_min?: number
  width_max?: number
  seconds_min?: number
  seconds_max?: number
}

export type Mode = {
  required: string[]
  fields: string[]
  media_limits: (Partial<Record<MediaKind, KindLimits>> & { total_bytes_max: number }) | null
  schema: { properties: Record<string, Property> }
}

export type PriceRow = {
  item: 'output' | 'input_video'
  unit: 'second' | 'generation'
  resolution?: string
  duration?: number
  generate_audio?: boolean
  credits_per_unit: number
}

export type Model = {
  id: string
  family: string
  available: boolean
  default: boolean
  default_mode: string | null
  notes: string[]
  modes: Record<string, Mode>
  pricing?: { rows: PriceRow[] } | undefined
  rules: ({ rule: string; modes: string[] } & { left?: unknown[]; right?: unknown[] })[]
}

export type Models = { version: string; price_version: string; data: Model[] }

/** The maximum length of a trimmed text, if the model's rules have one. */
export function lengthMax({ rules }: Model, field: string): number | undefined {
  const rule = rules.find(each => each.rule === 'max_length' && JSON.stringify(each.left) === JSON.stringify([{ trimmed_length: field }]))
  return typeof rule?.right?.[0] === 'number' ? rule.right[0] : undefined
}

/** The kind of files that a field refers to; undefined for other fields. */
export function mediaKindOf(field: string): MediaKind | undefined {
  if (!/_urls?$/.test(field)) return undefined
  return (['video', 'audio'] as const).find(kind => field.includes(kind)) ?? 'image'
}

/** The field that holds the lengths of a field's files, if the mode has one. */
export const secondsFieldOf = (mode: Mode, field: string): string | undefined => {
  const name = field.replace(/_urls$/, '_durations')
  return name !== field && mode.schema.properties[name] ? name : undefined
}
