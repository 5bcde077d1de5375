import fromClient from './endpoints.json' with { type: 'json' }
import fromPages from './further-endpoints.json' with { type: 'json' }

/** A field of a model's input, as far as its source tells. `strings`: a list of them; `other`: anything, for what nothing here reads. */
export type FieldForm = {
  type: 'string' | 'number' | 'integer' | 'boolean' | 'strings' | 'other'
  required?: boolean
  one_of?: (string | number | boolean)[]
  min?: number
  max?: number
  items_max?: number
  default?: string | number | boolean
}
export type Form = Record<string, FieldForm>

/** What a model's runner says is wrong with its input: fal.ai/docs/documentation/model-apis/errors. */
export type InputFault = { loc: (string | number)[]; msg: string; type: string }

type Group = { source: string; endpoints: string[]; fields: Form }

/**
 * Inputs of fal's models. `endpoints.json` is generated from the types that fal publishes in @fal-ai/client (tests/providers/fal/write-forms.ts);
 * `further-endpoints.json` holds what is younger than these, by hand, each group with the page or note it was read in.
 */
const forms = new Map<string, Form>([
  ...(fromPages as unknown as Group[]).flatMap(({ endpoints, fields }) => endpoints.map((name): [string, Form] => [name, fields])),
  ...Object.entries(fromClient.endpoints as unknown as Record<string, Form>),
])

export const formOf = (endpoint: string): Form | undefined => forms.get(endpoint)

/** Every fault of an input. Stricter than fal, whose runners leave unknown fields out of account: here a slip must show. */
export function faultsOf(form: Form, input: Record<string, unknown>): InputFault[] {
  const unknown = Object.keys(input)
    .filter(name => !Object.hasOwn(form, name))
    .map(name => ({ loc: ['body', name], msg: 'Extra inputs are not permitted', type: 'extra_forbidden' }))
  const missing = Object.entries(form)
    .filter(([name, { required }]) => required && input[name] === undefined)
    .map(([name]) => ({ loc: ['body', name], msg: 'Field required', type: 'missing' }))
  const wrong = Object.entries(form).flatMap(([name, field]) => {
    const value = input[name]
    const fault = value === undefined ? undefined : faultOf(field, value)
    return fault ? [{ loc: ['body', name], ...fault }] : []
  })
  return [...unknown, ...missing, ...wrong]
}

function faultOf({ type, one_of: oneOf, min, max, items_max: itemsMax }: FieldForm, value: unknown): Omit<InputFault, 'loc'> | undefined {
  if (!isOfType(type, value)) return { msg: `Input should be a valid ${type}`, type: `${type}_type` }
  if (oneOf && !oneOf.some(one => one === value)) return { msg: `Input should be ${oneOf.join(', ')}`, type: 'enum' }
  if (typeof value === 'number' && value < (min ?? value)) return { msg: `Input should be at least ${min}`, type: 'greater_than_equal' }
  if (typeof value === 'number' && value > (max ?? value)) return { msg: `Input should be at most ${max}`, type: 'less_than_equal' }
  if (Array.isArray(value) && value.length > (itemsMax ?? value.length)) return { msg: `At most ${itemsMax} items`, type: 'too_long' }
  return undefined
}

function isOfType(type: FieldForm['type'], value: unknown): boolean {
  if (type === 'other') return true
  if (type === 'strings') return Array.isArray(value) && value.every(one => typeof one === 'string')
  if (type === 'integer') return Number.isSafeInteger(value)
  return typeof value === type
}
