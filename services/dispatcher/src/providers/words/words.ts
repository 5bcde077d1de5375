/** A value on a provider's wire. Null: nothing is sent, because the provider does that unasked. */
export type WireValue = string | number | boolean | null

/** A provider's word for one field of our requests. What it doesn't say has no word, and is never put as something near it. */
export type Word = {
  /** The field's name at the provider. Absent where nothing is sent for it: the model's name says it, or the provider does that unasked. */
  field?: string
  /** Ours → the provider's, and no others; a list where both say the same. */
  values?: string[] | Record<string, WireValue>
  /** Of a number, where any between these will do. */
  min?: number
  max?: number
  /** The provider writes the number in quotes. */
  quoted?: boolean
  /** Of a choice, where any that looks so will do. A routing file has lists instead. */
  pattern?: RegExp
  /** Of a text, in Unicode code points. */
  characters_max?: number
  /** Of media: the provider's field is a list of at most so many. Absent: it holds one address. */
  items_max?: number
}

/** Our field → the provider's word; text alone is the name of a field that takes every value as it is. */
export type Words = Record<string, Word | string>

/** How a route says an order: the words, and what is sent with every order. */
export type RouteWords = { words: Words; always: Record<string, WireValue> }

export const wordFor = (words: Words, field: string): Word | undefined => {
  const word = Object.hasOwn(words, field) ? words[field] : undefined
  return typeof word === 'string' ? { field: word } : word
}

/** What is sent for one of our values; undefined where the provider has no word for it. */
export function wireValue(word: Word, value: string | number | boolean | undefined): WireValue | undefined {
  const { values, min, max, pattern, characters_max: charactersMax } = word
  if (value === undefined || (pattern && !pattern.test(String(value)))) return undefined
  if (values) return fromList(values, value)
  if (typeof value === 'number' && (value < (min ?? value) || value > (max ?? value))) return undefined
  if (typeof value === 'string' && charactersMax !== undefined && [...value].length > charactersMax) return undefined
  if (word.field === undefined) return null
  return word.quoted ? String(value) : value
}

function fromList(values: NonNullable<Word['values']>, value: string | number | boolean): WireValue | undefined {
  const name = String(value)
  if (Array.isArray(values)) return values.includes(name) ? value : undefined
  return Object.hasOwn(values, name) ? values[name] : undefined
}
