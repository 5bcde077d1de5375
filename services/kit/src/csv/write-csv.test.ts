import { expect, test } from 'bun:test'
import { csvLine, csvRows, writeCsv } from './write-csv'

test('what a spreadsheet would take for a formula is text, and a number stays one', () => {
  expect(writeCsv(['id', 'sum'], [{ id: '=HYPERLINK("https://a.example")', sum: -5 }])).toBe(
    'id,sum\r\n"\'=HYPERLINK(""https://a.example"")",-5\r\n',
  )
  for (const id of ['+1+1', '-a', '@sum', '\ta']) expect(writeCsv(['id'], [{ id }])).toBe(`id\r\n'${id}\r\n`)
  expect(writeCsv(['usd'], [{ usd: '-0.30' }])).toBe('usd\r\n-0.30\r\n')
})

test('a file that is written page by page is the same as one that is written at once', () => {
  const rows = [
    { a: 'x, "y"', b: null },
    { a: 'line\nline', b: 2 },
  ]
  expect(csvLine(['a', 'b']) + rows.map(row => csvRows(['a', 'b'], [row])).join('')).toBe(writeCsv(['a', 'b'], rows))
})
