import { expect, test } from 'bun:test'
import { writeCsv } from '@filmgate/kit/csv'
import { readCsv } from './csv'

test('cells are read with quotes, commas and lines in them, whatever ends a line', () => {
  expect(readCsv('\uFEFFa,b\r\n1,"x, ""y""\nz"\r\n\n3,\n')).toEqual([
    ['a', 'b'],
    ['1', 'x, "y"\nz'],
    ['3', ''],
  ])
  expect(readCsv('a,b\r1,2')).toEqual([
    ['a', 'b'],
    ['1', '2'],
  ])
  expect(readCsv('a,')).toEqual([['a', '']])
  expect(readCsv('')).toEqual([])
})

test('what is no CSV is nothing', () => {
  for (const text of ['"a', 'a,"b"c', 'a"b,c']) expect([text, readCsv(text)]).toEqual([text, undefined])
})

test('what is written is read back', () => {
  const rows = [{ name: 'a, "b"\nc', count: 1, absent: null }]
  expect(readCsv(writeCsv(['name', 'count', 'absent'], rows))).toEqual([
    ['name', 'count', 'absent'],
    ['a, "b"\nc', '1', ''],
  ])
})

test('what a spreadsheet would take for a formula is text, and a number stays one', () => {
  expect(writeCsv(['id', 'sum'], [{ id: '=HYPERLINK("https://a.example")', sum: -5 }])).toBe(
    'id,sum\r\n"\'=HYPERLINK(""https://a.example"")",-5\r\n',
  )
  for (const id of ['+1+1', '-a', '@sum', '\ta']) expect(writeCsv(['id'], [{ id }])).toBe(`id\r\n'${id}\r\n`)
  expect(writeCsv(['usd'], [{ usd: '-0.30' }])).toBe('usd\r\n-0.30\r\n')
})
