import type { SpecifiedMode, SpecifiedModel } from '../models/specified-models'

export type Body = Record<string, unknown>

/** A body and what must become of it. `path`: where one of the faults must be. `applied`: part of the request that the estimate shows. */
export type Case = { name: string; body: Body } & (
  | { accepted: true; applied?: Body }
  | { accepted: false; path: string; code: 'invalid_request' | 'unsupported_field' | 'unknown_model' }
)

/** A mode of a model with a smallest body that it accepts. */
export type Subject = { model: SpecifiedModel; mode: string; specified: SpecifiedMode; base: Body }

export const accept = (subject: Subject, name: string, change: Body, applied?: Body): Case => ({
  name: nameOf(subject, name),
  body: changed(subject.base, change),
  accepted: true,
  ...(applied && { applied }),
})

export const refuse = (
  subject: Subject,
  name: string,
  change: Body,
  path: string,
  code: 'invalid_request' | 'unsupported_field' = 'invalid_request',
): Case => ({ name: nameOf(subject, name), body: changed(subject.base, change), accepted: false, path, code })

const nameOf = ({ model, mode }: Subject, name: string): string => `${model.model} ${mode}: ${name}`

/** `undefined` takes a property away. */
function changed(base: Body, change: Body): Body {
  const body = { ...base, ...change }
  for (const [name, value] of Object.entries(change)) if (value === undefined) delete body[name]
  return body
}

export const url = (length = 0): string =>
  `https://media.example.com/file${'x'.repeat(Math.max(0, length - 'https://media.example.com/file'.length))}`
export const urls = (count: number): string[] => Array.from({ length: count }, () => url())

/** `4-15 (5)` or `5,10 (5)`. */
export function parseDuration(text: string): { values: number[]; min: number; max: number; fallback: number | undefined } {
  const [spec = '', bracket] = text.split(' ')
  const fallback = bracket ? Number(bracket.slice(1, -1)) : undefined
  const [min = 0, max = 0] = spec.split('-').map(Number)
  const values = spec.includes('-') ? Array.from({ length: max - min + 1 }, (_, index) => min + index) : spec.split(',').map(Number)
  return { values, min: Math.min(...values), max: Math.max(...values), fallback }
}

/** `480p 720p (720p)`. */
export function parseChoice(text: string): { values: string[]; fallback: string | undefined } {
  const words = text.split(' ')
  const bracket = words.find(word => word.startsWith('('))
  return { values: words.filter(word => !word.startsWith('(')), fallback: bracket?.slice(1, -1) }
}
