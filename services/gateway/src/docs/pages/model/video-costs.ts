import { FieldKind, type ModelMode } from '@filmgate/proto/gen/filmgate/v1/catalog_pb'
import type { CompiledModel } from '../../../catalog/compile-card'
import { table } from '../../markdown/write'
import { exampleOf } from '../../open-api/example-of'

const columnsMax = 6
const shownSeconds = [4, 5, 6, 8, 10, 12, 15, 20, 30, 60]

/** What a video costs by resolution and length, by the very check and price of requests; undefined where nothing is to be chosen. */
export function costTable(model: CompiledModel): string | undefined {
  const mode = pricedMode(model)
  if (!mode) return undefined
  const seconds = lengths(mode)
  const choices = mode.fields.find(({ name }) => name === 'resolution')?.choices ?? []
  const sounds = hasPricedSound(model) ? [true, false] : [undefined]
  const rows = choices.flatMap(resolution =>
    sounds.map(sound => [
      `\`${resolution}\`${sound === undefined ? '' : sound ? ', with audio' : ', without audio'}`,
      ...seconds.map(duration => creditsOf(model, mode, { duration, resolution, generate_audio: sound }) ?? '–'),
    ]),
  )
  const known = rows.filter(([, ...cells]) => cells.some(cell => cell !== '–'))
  return known.length === 0 ? undefined : table(['Resolution', ...seconds.map(value => `${value} s`)], known)
}

/** The length that models are compared by. */
export const usualSeconds = 5

/** What a video of five seconds costs, or of the length nearest to it: by its resolution and sound. */
export function costSpan(model: CompiledModel): { lowest: number; highest: number; seconds: number } | undefined {
  const mode = pricedMode(model)
  const [seconds] = mode ? allLengths(mode).sort((a, b) => Math.abs(a - usualSeconds) - Math.abs(b - usualSeconds) || a - b) : []
  if (!mode || seconds === undefined) return undefined
  const resolutions = mode.fields.find(({ name }) => name === 'resolution')?.choices ?? []
  const sounds = hasPricedSound(model) ? [true, false] : [undefined]
  const costs = resolutions.flatMap(resolution =>
    sounds.flatMap(sound => creditsOf(model, mode, { duration: seconds, resolution, generate_audio: sound }) ?? []),
  )
  return costs.length === 0 ? undefined : { lowest: Math.min(...costs), highest: Math.max(...costs), seconds }
}

/** The first mode whose length is chosen by the request. */
const pricedMode = ({ card }: CompiledModel): ModelMode | undefined =>
  card.modes.find(mode => mode.fields.some(({ name, follows }) => name === 'duration' && !follows))

const hasPricedSound = ({ card }: CompiledModel): boolean => (card.pricing?.rows ?? []).some(({ audio }) => audio !== undefined)

function allLengths(mode: ModelMode): number[] {
  const field = mode.fields.find(({ name }) => name === 'duration')
  if (field?.kind !== FieldKind.INTEGER) return []
  if (field.integers.length > 0) return field.integers.map(Number)
  const [min, max] = [Number(field.min), Number(field.max)]
  return Array.from({ length: max - min + 1 }, (_, index) => min + index)
}

/** All where they are few, else the ends and the usual ones between them. */
function lengths(mode: ModelMode): number[] {
  const all = allLengths(mode)
  if (all.length <= columnsMax) return all
  const [first = 0, last = 0] = [all[0], all.at(-1)]
  const between = shownSeconds.filter(value => value > first && value < last && all.includes(value))
  return [first, ...between.slice(0, columnsMax - 2), last]
}

function creditsOf(model: CompiledModel, mode: ModelMode, values: Record<string, unknown>): number | undefined {
  const given = Object.entries(values).filter(([, value]) => value !== undefined)
  const checked = model.check({ ...exampleOf(model.card, mode), ...Object.fromEntries(given) })
  return checked.ok ? model.price(checked.request).credits : undefined
}
