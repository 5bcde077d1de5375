import type { Json } from './operator-api'

/** Prints an answer: JSON as it is, else tables and `name: value` lines that a person reads. */
export function show(value: Json, json: boolean): void {
  console.log(json ? JSON.stringify(value) : render(value))
}

export function render(value: Json): string {
  if (Array.isArray(value)) return table(value)
  if (value === null || typeof value !== 'object') return cell(value)
  const plain = Object.entries(value).filter(([, each]) => !isNested(each))
  const nested = Object.entries(value).filter(([, each]) => isNested(each))
  const width = Math.max(0, ...plain.map(([name]) => name.length))
  const lines = plain.map(([name, each]) => `${name.padEnd(width)}  ${cell(each)}`)
  return [lines.join('\n'), ...nested.map(([name, each]) => `${name}\n${indent(render(each))}`)].filter(Boolean).join('\n\n')
}

const isNested = (value: Json): boolean => typeof value === 'object' && value !== null

function table(rows: Json[]): string {
  if (rows.length === 0) return '(none)'
  if (!rows.every(row => isNested(row) && !Array.isArray(row))) return rows.map(cell).join('\n')
  const records = rows as { [key: string]: Json }[]
  const columns = [...new Set(records.flatMap(row => Object.keys(row)))]
  const lines = [columns, ...records.map(row => columns.map(column => cell(row[column] ?? '')))]
  const widths = columns.map((_, index) => Math.max(...lines.map(line => line[index]?.length ?? 0)))
  return lines
    .map(line =>
      line
        .map((text, index) => text.padEnd(widths[index] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

const cell = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value))
const indent = (text: string): string => text.replace(/^/gm, '  ')
