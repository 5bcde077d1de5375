/** Rows as CSV (RFC 4180). A text that a spreadsheet would take for a formula gets an apostrophe before it. */
export const csv = (rows: unknown[][]): string => rows.map(row => row.map(cell).join(',')).join('\r\n')

function cell(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'number') return String(value)
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
