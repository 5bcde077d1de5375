/**
 * Rows of one shape as CSV (RFC 4180), names first; nothing for null. What a spreadsheet would take for a formula is put as text: words of
 * people and of providers are among the cells.
 */
export const writeCsv = (columns: readonly string[], rows: Record<string, string | number | null>[]): string =>
  csvLine(columns) + csvRows(columns, rows)

/** The same without the names, for a file that is written page by page. */
export const csvRows = (columns: readonly string[], rows: Record<string, string | number | null>[]): string =>
  rows.map(row => csvLine(columns.map(column => row[column] ?? ''))).join('')

export const csvLine = (cells: readonly (string | number)[]): string => `${cells.map(quoted).join(',')}\r\n`

function quoted(value: string | number): string {
  const text = typeof value === 'string' && /^[=+@\t-]/.test(value) && Number.isNaN(Number(value)) ? `'${value}` : String(value)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
