import type { FormFields } from '../../http/read-form'
import type { Mode, Property } from '../../models/model'

export type Values = Record<string, string>
export type RequestBody = { model: string; mode: string } & Record<string, unknown>

const splitLines = (text: string): string[] => text.split(/[\s,]+/).filter(Boolean)

/** A whole number, or the text itself if it is none: the gateway reports what is wrong with it. */
const integerOr = (text: string): number | string => (/^[+-]?\d{1,16}$/.test(text) ? Number(text) : text)

/** The form's values by field name. A checkbox is 'true' or 'false'. */
export const readValues = (form: Pick<FormFields, 'get'>, { schema }: Mode): Values =>
  Object.fromEntries(
    Object.entries(schema.properties).map(([name, { type }]) => [
      name,
      type === 'boolean' ? String(form.get(name) !== '') : form.get(name),
    ]),
  )

/** A request's values as the form shows them, so that another like it can be sent. */
export const valuesOf = (request: Record<string, unknown>, { schema }: Mode): Values =>
  Object.fromEntries(
    Object.entries(schema.properties).map(([name, property]) => {
      const value = request[name]
      if (value === undefined || value === null) return [name, defaultText(property)]
      return [name, Array.isArray(value) ? value.join(property.items?.type === 'integer' ? ', ' : '\n') : String(value)]
    }),
  )

/** The initial values: from the query, else the defaults. */
export const initialValues = (query: URLSearchParams, { schema }: Mode): Values =>
  Object.fromEntries(Object.entries(schema.properties).map(([name, property]) => [name, query.get(name)?.trim() || defaultText(property)]))

const defaultText = ({ default: value }: Property): string => (value === undefined || value === false ? '' : String(value))

/** Builds the request from the form's values, without empty ones. Validation is the gateway's. */
export function buildRequest(model: string, modeName: string, mode: Mode, values: Values): RequestBody {
  const body: RequestBody = { model, mode: modeName }
  for (const [name, property] of Object.entries(mode.schema.properties)) {
    const value = property.const === undefined ? readValue(property, values[name] ?? '') : undefined
    if (value !== undefined) body[name] = value
  }
  return body
}

function readValue(property: Property, text: string): unknown {
  if (property.type === 'boolean') return text === 'true' || (text === 'false' && property.default === true) ? text === 'true' : undefined
  if (text === '') return undefined
  if (property.type === 'integer') return integerOr(text)
  if (property.type === 'array') return property.items?.type === 'integer' ? splitLines(text).map(integerOr) : splitLines(text)
  return text
}

/**
 * Placeholders for missing required fields, so that a price can be shown. The price depends on neither prompt nor
 * images.
 */
const placeholders: Record<string, string> = {
  prompt: 'a video',
  image_url: 'https://example.com/first.png',
  end_image_url: 'https://example.com/last.png',
}

/** The request with placeholders for missing required fields. */
export function withPlaceholders(body: RequestBody, { required }: Mode): RequestBody {
  const missing = required.filter(name => body[name] === undefined && placeholders[name] !== undefined)
  return { ...body, ...Object.fromEntries(missing.map(name => [name, placeholders[name]])) }
}
