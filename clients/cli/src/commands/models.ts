import type { Model, ModelMode } from '@filmgate/client'
import type { Command } from 'commander'
import { saveModelIds } from '../completion/model-cache'
import { connect, type Session } from '../session'
import { exitCodes, Failure } from '../terminal/failure'
import { plain } from '../terminal/plain'
import { table } from '../terminal/terminal'
import type { Run } from './run'

export function addModels(program: Command, run: Run): void {
  program
    .command('models')
    .description('list the models, or show what one takes and costs')
    .argument('[id]', 'a model, such as alpha-h3')
    .action(run(models))
}

async function models(session: Session, id: string | undefined): Promise<void> {
  const { terminal, folders, signal } = session
  const { filmgate } = await connect(session)
  const list = await filmgate.models.list({ signal })
  const all = list.data
  await saveModelIds(folders, all)
  if (id === undefined) {
    terminal.printJson(list)
    const rows = all.map(({ id, modes, pricing, available }) => [
      id,
      Object.keys(modes).join(', '),
      cheapest(pricing),
      available ? '' : 'not configured',
    ])
    terminal.print(table([['model', 'modes', 'credits from', ''], ...rows]))
    return
  }
  const model = all.find(one => one.id === id)
  if (!model) throw unknownModel(id, all)
  terminal.printJson(model)
  terminal.print(modelWords(model))
}

function unknownModel(id: string, all: Model[]): Failure {
  const near = all.map(({ id }) => id).sort((one, other) => distance(id, one) - distance(id, other))[0]
  const meant = near !== undefined && distance(id, near) <= 3 ? ` Did you mean ${near}?` : ''
  return new Failure(`There is no model ${id}.${meant}`, {
    exit: exitCodes.usage,
    code: 'unknown_model',
    hints: ['`filmgate models` lists them.'],
  })
}

/** How many letters differ (Levenshtein). */
export function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (let i = 1; i <= one.length; i++) {
    const next = [i]
    for (let j = 1; j <= other.length; j++) {
      const changed = (row[j - 1] ?? 0) + (one[i - 1] === other[j - 1] ? 0 : 1)
      next.push(Math.min(changed, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[other.length] ?? 0
}

type Property = {
  type?: unknown
  enum?: unknown[]
  const?: unknown
  minimum?: number
  maximum?: number
  default?: unknown
  maxItems?: number
}

function modelWords({ id, modes, notes, pricing, available }: Model): string {
  const parts = [`${id}${available ? '' : ' (no provider is configured here)'}`, ...notes.map(note => plain(note))]
  for (const [mode, described] of Object.entries(modes)) {
    if (!described) continue
    const { fields, required, schema } = described as ModelMode
    const properties = ((schema as { properties?: Record<string, Property> }).properties ?? {}) as Record<string, Property>
    const rows = fields.map(field => [`  ${field}`, required.includes(field) ? 'required' : '', valuesOf(properties[field])])
    parts.push('', mode, table(rows))
  }
  return [...parts, '', 'credits', table(pricing.rows.map(priceCells))].join('\n')
}

type PriceRow = Model['pricing']['rows'][number]
const priceCells = ({ item, unit, resolution, duration, generate_audio: audio, credits_per_unit: rate }: PriceRow) => [
  `  ${rate} a ${unit}`,
  item === 'input_video' ? 'of reference video' : '',
  [resolution, duration && `${duration} s`, audio === undefined ? undefined : audio ? 'with sound' : 'without sound']
    .filter(Boolean)
    .join(', '),
]

/** What a field takes, from its schema. */
function valuesOf(property: Property = {}): string {
  const { enum: values, minimum, maximum, maxItems, default: fallback } = property
  const range = minimum === undefined && maximum === undefined ? '' : `${minimum ?? ''} to ${maximum ?? ''}`
  const taken = values?.join(', ') ?? (property.const !== undefined ? String(property.const) : range) ?? ''
  return [taken, maxItems === undefined ? '' : `at most ${maxItems}`, fallback === undefined ? '' : `default ${fallback}`]
    .filter(Boolean)
    .join('; ')
}

function cheapest({ rows }: Model['pricing']): string {
  const [row] = rows.filter(({ item }) => item === 'output').sort((one, other) => one.credits_per_unit - other.credits_per_unit)
  return row ? `${row.credits_per_unit} a ${row.unit}` : '-'
}
