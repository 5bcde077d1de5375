/** Rows of one shape as CSV (RFC 4180), names first. */
export function toCsv(columns: readonly string[], rows: Record<string, string | number | null>[]): string {
  const lines = [columns, ...rows.map(row => columns.map(column => row[column] ?? ''))]
  return lines.map(line => `${line.map(quoted).join(',')}\r\n`).join('')
}

/** No value of ours can start a formula: they are ids, names of models and numbers. */
const quoted = (value: string | number): string =>
  /[",\r\n]/.test(String(value)) ? `"${String(value).replaceAll('"', '""')}"` : String(value)

/** Whether the client would have CSV rather than JSON. */
export const wantsCsv = (request: Request): boolean => /(^|,)\s*text\/csv\b/i.test(request.headers.get('accept') ?? '')
