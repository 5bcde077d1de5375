/** GET /models as a client reads it; nothing here comes from the service's code. */
export type Schema = { [keyword: string]: unknown }
export type Term = number | { value: string; default?: number } | { sum: string } | { count: string } | { trimmed_length: string }
export type Condition = {
  field: string
  present?: boolean
  one_of?: unknown[]
  min?: number
  max?: number
  items_min?: number
  items_max?: number
  default?: unknown
}
export type Rule = {
  rule: string
  modes: string[]
  message: string
  when?: Condition[]
  left?: Term[]
  op?: '<=' | '>=' | '=='
  right?: Term[]
  well_formed?: string
}
export type PublishedMode = { required: string[]; fields: string[]; media_limits: object | null; schema: Schema }
export type PublishedModel = {
  id: string
  family: string
  default: boolean
  default_mode: string | null
  capabilities: string[]
  card_version: string
  available: boolean
  modes: Record<string, PublishedMode>
  rules: Rule[]
  pricing: { price_version: string; rows: object[] }
}
export type PublishedCatalog = { object: 'list'; version: string; price_version: string; data: PublishedModel[] }
