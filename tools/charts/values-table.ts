import { YAML } from 'bun'

export type ValueRow = { path: string; fallback: string; meaning: string }

const line = /^( *)([A-Za-z][\w-]*):(.*)$/
const comment = /^( *)# (.*)$/

/** A chart's values with defaults and the comments above them; a comment above a group belongs to the group. */
export function valueRows(yaml: string): ValueRow[] {
  const values = YAML.parse(yaml) as Record<string, unknown>
  const rows: ValueRow[] = []
  const path: string[] = []
  let comments: string[] = []
  const lines = yaml.split('\n')
  // Comments before the first blank line describe the chart.
  const from = /^#/.test(lines[0] ?? '') ? lines.findIndex(one => !one.startsWith('#')) : 0
  for (const text of lines.slice(from)) {
    const explained = comment.exec(text)
    const found = line.exec(text)
    if (explained) comments.push(explained[2] ?? '')
    if (!found) {
      if (!explained) comments = []
      continue
    }
    const [, indent = '', name = ''] = found
    path.splice(indent.length / 2, path.length, name)
    const value = valueAt(values, path)
    const group = isGroup(value)
    if (!group || comments.length > 0)
      rows.push({ path: path.join('.'), fallback: group ? '' : JSON.stringify(value), meaning: comments.join(' ') })
    comments = []
  }
  return rows
}

const isGroup = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length > 0

function valueAt(values: unknown, path: string[]): unknown {
  const [name, ...rest] = path
  if (name === undefined) return values
  return valueAt((values as Record<string, unknown>)[name], rest)
}
