import type { Model } from '@filmgate/client'

type Property = {
  type?: string
  enum?: unknown[]
  const?: unknown
  minimum?: number
  maximum?: number
  maxItems?: number
  default?: unknown
  items?: Property
  /** Of URLs: private addresses. */
  not?: unknown
}
export type ModeCard = {
  required: string[]
  fields: string[]
  media_limits: Record<string, unknown> | null
  schema: { properties?: Record<string, Property> }
}
export type PriceRow = {
  item: string
  unit: string
  resolution?: string
  generate_audio?: boolean
  duration?: number
  credits_per_unit: number
}
/** A model as GET /models shows it, as far as it is shown here. */
export type Card = {
  id: string
  family: string
  available: boolean
  default_mode?: string | null
  notes?: string[]
  modes: Record<string, ModeCard>
  rules?: { modes: string[]; message: string }[]
  pricing?: { rounding: string; rows: PriceRow[] }
}

export const cardOf = (model: Model): Card => model as unknown as Card

/** A model's card as Markdown: modes with their fields, rules, prices. */
export function modelPage(card: Card): string {
  const { id, available, notes = [], modes, rules = [], pricing } = card
  return [
    `# ${id}`,
    available ? '' : 'Not available at the moment: no provider of it is connected.',
    ...notes.map(note => `- ${note}`),
    ...Object.entries(modes).flatMap(([name, mode]) => modeSection(name, mode, name === card.default_mode)),
    ...(rules.length > 0 ? ['## Rules', ...rules.map(({ modes: of, message }) => `- ${message} (${of.join(', ')})`)] : []),
    ...(pricing ? ['## Price', ...pricing.rows.map(row => `- ${priceLine(row)}`), `Rounded ${pricing.rounding}.`] : []),
  ]
    .filter(line => line !== '')
    .join('\n')
    .replaceAll(/\n(#+ )/g, '\n\n$1')
    .concat('\n')
}

function modeSection(name: string, { required, fields, media_limits, schema }: ModeCard, isDefault: boolean): string[] {
  const rows = fields.map(field => {
    const property = schema.properties?.[field] ?? {}
    const fallback = property.default === undefined ? '' : ` Default: ${JSON.stringify(property.default)}.`
    return `- \`${field}\`${required.includes(field) ? ' (required)' : ''}: ${valuesOf(property)}.${fallback}`
  })
  const limits = Object.entries(media_limits ?? {}).map(([kind, limit]) => `- ${kind}: ${limitsOf(limit)}`)
  return [`## ${name}${isDefault ? ' (default mode)' : ''}`, ...rows, ...(limits.length > 0 ? ['### Media limits', ...limits] : [])]
}

export function valuesOf({ type, enum: choices, minimum, maximum, maxItems, items, not }: Property): string {
  if (choices) return choices.join(', ')
  if (type === 'array') return `up to ${maxItems ?? 'any number of'} of: ${valuesOf(items ?? {})}`
  if (minimum !== undefined && maximum !== undefined) return `${minimum} to ${maximum}`
  if (type === 'string') return not ? 'an https URL' : 'text'
  return type ?? 'any'
}

const limitsOf = (limit: unknown): string =>
  typeof limit === 'object' && limit !== null
    ? Object.entries(limit)
        .map(([name, value]) => `${name} ${Array.isArray(value) ? value.join('/') : value}`)
        .join(', ')
    : String(limit)

export function priceLine({ item, unit, resolution, generate_audio, duration, credits_per_unit }: PriceRow): string {
  const of = [resolution, duration && `${duration} s`, generate_audio === undefined ? '' : generate_audio ? 'with audio' : 'silent']
  const about = of.filter(Boolean).join(', ')
  return `${item === 'output' ? 'video' : 'each input video'}${about && ` (${about})`}: ${credits_per_unit} credits a ${unit}`
}
