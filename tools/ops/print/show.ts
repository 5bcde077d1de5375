import type { Json } from '../operator-api'
import { aligned, columnWidths } from './aligned'

type Row = { [key: string]: Json }

const lineCharactersMax = 180

/** Prints an answer: JSON as it is, else tables and `name  value` lines that a person reads. */
export function show(value: Json, json: boolean): void {
  const text = json ? JSON.stringify(value) : render(value)
  // CSV ends its last line itself.
  process.stdout.write(text.endsWith('\n') ? text : `${text}\n`)
}

export function render(value: Json): string {
  if (Array.isArray(value)) {
    if (!value.length || !value.every(isRow)) return value.map(cell).join('\n') || '(none)'
    return value.some(row => Object.values(row).some(isTable)) ? value.map(render).join('\n\n') : table(value)
  }
  if (!isRow(value)) return cell(value)
  // What is not there says nothing to a person; `--json` has it.
  const plain = Object.entries(value).filter(([, each]) => !isNested(each) && each !== null)
  const nested = Object.entries(value).filter(([, each]) => isNested(each))
  return [lines(plain), ...nested.map(([name, each]) => `${name}\n${indent(render(each))}`)].filter(Boolean).join('\n\n')
}

const isNested = (value: Json): boolean => typeof value === 'object' && value !== null
const isTable = (value: Json): boolean => Array.isArray(value) && value.length > 0 && value.every(isRow)
const isRow = (value: Json): value is Row => isNested(value) && !Array.isArray(value)

function lines(pairs: [string, Json][]): string {
  const width = Math.max(0, ...pairs.map(([name]) => name.length))
  return pairs.map(([name, value]) => `${name.padEnd(width)}  ${cell(value)}`).join('\n')
}

function table(rows: Row[]): string {
  const named = [...new Set(rows.flatMap(row => Object.keys(row)))]
  const columns = named.filter(column => rows.some(row => (row[column] ?? null) !== null))
  const grid = [columns, ...rows.map(row => columns.map(column => cell(row[column] ?? '')))]
  if (columnWidths(grid).reduce((sum, width) => sum + width + 2, 0) > lineCharactersMax) {
    return rows.map(row => lines(columns.map(column => [column, row[column] ?? null]))).join('\n\n')
  }
  return aligned(grid)
}

/** Words in a list stand beside each other. */
const cell = (value: Json): string => {
  if (typeof value === 'string') return value
  return Array.isArray(value) && value.every(one => typeof one === 'string') ? value.join(', ') : JSON.stringify(value)
}
const indent = (text: string): string => text.replace(/^(?=.)/gm, '  ')
