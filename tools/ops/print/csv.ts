/** RFC 4180, with any line's end. Undefined where a quote is never closed, or something stands behind a closed one. */
export function readCsv(text: string): string[][] | undefined {
  const rows: string[][] = []
  const cell = /("(?:[^"]|"")*"|[^",\r\n]*)(,|\r\n|\n|\r|$)/y
  let row: string[] = []
  // A byte-order mark is how spreadsheets begin a file.
  const body = text.replace(/^\uFEFF/, '')
  while (cell.lastIndex < body.length) {
    const [whole, raw = '', end] = cell.exec(body) ?? []
    if (whole === undefined) return undefined
    row.push(raw.startsWith('"') ? raw.slice(1, -1).replaceAll('""', '"') : raw)
    if (end === ',' && cell.lastIndex === body.length) row.push('')
    if (end === ',' && cell.lastIndex < body.length) continue
    rows.push(row)
    row = []
  }
  return rows.filter(cells => cells.some(one => one.trim() !== ''))
}
