import { CsvError, parse } from 'csv-parse/sync'
import type { Mode } from '../models/model'
import { initialValues, type Values } from '../playground/form/build-request'

/** The most rows of a batch. */
export const rowsMax = 100

/** A row's values by field, and what is wrong with it. */
export type BatchRow = { values: Values; issue?: string }
/** `issue`: what is wrong with the text as a whole; there are no rows then. */
export type ReadRows = { rows: BatchRow[]; issue?: string }

/**
 * Reads prompts: one a line, or CSV (RFC 4180) whose first row names the fields and has `prompt` among them. A cell that
 * is empty is the field's default.
 */
export function readRows(text: string, mode: Mode): ReadRows {
  const lines = text.split(/\r?\n/).filter(line => line.trim() !== '')
  const [first] = lines
  if (first === undefined) return { rows: [], issue: 'Enter a prompt, or choose a file.' }
  const delimiter = separatorOf(first)
  const records = delimiter !== undefined ? readCsv(text, delimiter) : lines.map(line => ({ prompt: line.trim() }))
  if (typeof records === 'string') return { rows: [], issue: records }
  if (records.length === 0) return { rows: [], issue: 'There is a header, but no row below it.' }
  if (records.length > rowsMax) return { rows: [], issue: `There are ${records.length} rows. A batch has at most ${rowsMax}.` }
  const unknown = Object.keys(records[0] ?? {}).filter(name => !fieldNames(mode).includes(name))
  if (unknown.length > 0)
    return { rows: [], issue: `This model has no ${unknown.join(', ')} in this mode. Columns can be: ${fieldNames(mode).join(', ')}.` }
  return { rows: records.map(record => readRow(record, mode)) }
}

/** The fields that a column can name. */
export const fieldNames = ({ schema }: Mode): string[] =>
  Object.entries(schema.properties).flatMap(([name, { const: fixed }]) => (fixed === undefined ? [name] : []))

/** What separates the cells of a header: spreadsheets copy with tabs, and write semicolons where the comma is the decimal mark. */
function separatorOf(line: string): string | undefined {
  const hasPrompt = (separator: string) =>
    line
      .replace(/^\uFEFF/, '')
      .split(separator)
      .some(cell => /^\s*"?prompt"?\s*$/i.test(cell))
  return [',', ';', '\t'].find(hasPrompt)
}

/** The rows by column, or what is wrong. */
function readCsv(text: string, delimiter: string): Record<string, string>[] | string {
  try {
    // A column without a name is left out.
    const columns = (names: string[]) => names.map(name => name.trim().toLowerCase() || false)
    return parse(text, { columns, delimiter, bom: true, trim: true, skip_empty_lines: true, skip_records_with_empty_values: true })
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    const line = typeof error.lines === 'number' ? ` near line ${error.lines}` : ''
    return error.code === 'CSV_RECORD_INCONSISTENT_COLUMNS'
      ? `A row${line} has more or fewer cells than the header. A prompt with commas needs quotes.`
      : `The CSV can’t be read${line}. A prompt with quotes or line breaks needs quotes around it, and "" for each quote.`
  }
}

function readRow(given: Record<string, string>, mode: Mode): BatchRow {
  const isBox = (name: string) => mode.schema.properties[name]?.type === 'boolean'
  const record = Object.fromEntries(Object.entries(given).map(([name, cell]) => [name, isBox(name) ? cell.toLowerCase() : cell]))
  const values = initialValues(new URLSearchParams(record), mode)
  const wrong = Object.keys(record).find(name => isBox(name) && !['', 'true', 'false'].includes(values[name] ?? ''))
  if (wrong !== undefined) return { values, issue: `${wrong} must be true or false.` }
  return values.prompt === '' && mode.required.includes('prompt') ? { values, issue: 'The prompt is missing.' } : { values }
}
