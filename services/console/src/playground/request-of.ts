import type { Form } from '../door/read-form'
import type { Mode, Property } from '../models/model'

export type Values = Record<string, string>
export type RequestBody = { model: string; mode: string } & Record<string, unknown>

const linesOf = (text: string): string[] => text.split(/[\s,]+/).filter(Boolean)

/** A whole number, or the text itself where it is none: the gateway says what is wrong with it. */
const wholeOr = (text: string): number | string => (/^[+-]?\d{1,16}$/.test(text) ? Number(text) : text)

/** What stands in the form's fields, by their names. A mark that isn't set is ''. */
export const valuesOf = (form: Pick<Form, 'get'>, { schema }: Mode): Values =>
  Object.fromEntries(Object.keys(schema.properties).map(name => [name, form.get(name)]))

/** What a form begins with: what an address says, and defaults. */
export const firstValues = (query: URLSearchParams, { schema }: Mode): Values =>
  Object.fromEntries(Object.entries(schema.properties).map(([name, property]) => [name, query.get(name)?.trim() || defaultText(property)]))

const defaultText = ({ default: value }: Property): string => (value === undefined || value === false ? '' : String(value))

/** The request of a form: what was left empty is left out. Nothing is judged here; that is the gateway's. */
export function requestOf(model: string, modeName: string, mode: Mode, values: Values): RequestBody {
  const body: RequestBody = { model, mode: modeName }
  for (const [name, property] of Object.entries(mode.schema.properties)) {
    const value = property.const === undefined ? readValue(property, values[name] ?? '') : undefined
    if (value !== undefined) body[name] = value
  }
  return body
}

function readValue(property: Property, text: string): unknown {
  if (property.type === 'boolean') return text !== '' || property.default === true ? text !== '' : undefined
  if (text === '') return undefined
  if (property.type === 'integer') return wholeOr(text)
  if (property.type === 'array') return property.items?.type === 'integer' ? linesOf(text).map(wholeOr) : linesOf(text)
  return text
}

/** Stands for what is not written yet, so that a price can be shown: it depends on neither the words nor the pictures. */
const standIns: Record<string, string> = {
  prompt: 'a video',
  image_url: 'https://example.com/first.png',
  end_image_url: 'https://example.com/last.png',
}

/** The request with stand-ins where something required is not there yet. */
export function priceableOf(body: RequestBody, { required }: Mode): RequestBody {
  const missing = required.filter(name => body[name] === undefined && standIns[name] !== undefined)
  return { ...body, ...Object.fromEntries(missing.map(name => [name, standIns[name]])) }
}
