import fc from 'fast-check'
import type { PublishedCatalog } from '../models/published-models'
import { bodies } from './bodies'

/** Ways to write a whole number; all of them are the number. */
const notations: ((digits: string) => string)[] = [
  digits => digits,
  digits => `${digits}.0`,
  digits => `${digits}E+0`,
  digits => `${digits}.00e-0`,
]

/** Bodies as they are sent. A value would not do: JSON.stringify drops the sign of -0 and knows one way to write a number. */
export const bodyTexts = (catalog: PublishedCatalog): fc.Arbitrary<string> =>
  fc.tuple(bodies(catalog), fc.constantFrom(...notations)).map(([body, notation]) => textOf(body, notation))

function textOf(value: unknown, notation: (digits: string) => string): string {
  if (Array.isArray(value)) return `[${value.map(item => textOf(item, notation)).join(',')}]`
  if (typeof value === 'object' && value !== null)
    return `{${Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}:${textOf(item, notation)}`)}}`
  if (!Number.isSafeInteger(value)) return JSON.stringify(value)
  return notation(Object.is(value, -0) ? '-0' : String(value))
}
