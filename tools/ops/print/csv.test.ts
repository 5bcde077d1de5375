import { expect, test } from 'bun:test'
import { writeCsv } from '@filmgate/kit/csv/write-csv'
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
