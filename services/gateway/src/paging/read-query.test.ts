import { expect, test } from 'bun:test'
import type { Failure } from '@filmgate/kit/failure'
import { cursor, writeCursor } from './cursor'
import { moment, oneOf, pageSize, readQuery, words } from './read-query'

const shape = { from: moment, status: oneOf(['a', 'b']), limit: pageSize(20, 100), model: words(5), cursor: cursor(([id]) => id) }
const read = (query: string) => readQuery(`http://x/list${query}`, shape)
function faultsOf(query: string): string[] {
  try {
    read(query)
    return []
  } catch (error) {
    const { issues } = (error as Failure).options.details as { issues: { path: string; message: string }[] }
    return issues.map(issue => issue.message)
  }
}

test('parameters that are left out are null, or their default', () => {
  expect(read('')).toEqual({ from: null, status: null, limit: 20, model: null, cursor: undefined })
  expect(read(`?limit=100&from=2026-11-21&cursor=${writeCursor(['x'])}`)).toMatchObject({
    limit: 100,
    from: new Date('2026-11-21T00:00:00Z'),
    cursor: 'x',
  })
  expect(read('?from=2026-11-21T10:00:00%2B02:00').from).toEqual(new Date('2026-11-21T08:00:00Z'))
})

test('every fault is named, unknown and repeated parameters too', () => {
  expect(faultsOf('?limits=5&status=c&status=a&limit=0&model=abcdef&from=2026-02-30&cursor=zzz')).toEqual([
    'there is no parameter limits; did you mean limit?',
    'status is given more than once',
    'from must be a date like 2026-11-21 or a moment like 2026-11-21T08:30:00Z',
    'status must be one of a, b',
    'limit must be a whole number from 1 to 100',
    'model must have from 1 to 5 characters',
    'cursor must be the next_cursor of a page before',
  ])
})

test.each([
  '',
  '2026',
  'yesterday',
  '2026-13-01',
  '2026-11-21T25:00:00Z',
  '2026-11-21T10:00:00',
  '2026-11-21T10:00:00+99:99',
  '0000-00-00',
  '0000-01-01',
  '0001-01-01T00:00:00+23:59',
  '9999-12-31T23:00:00-02:00',
])('%p is no moment', value => {
  expect(faultsOf(`?from=${encodeURIComponent(value)}`)).toHaveLength(1)
})
test.each(['0', '101', '1.5', '-1', '1e2', ' 5', 'x', ''])('%p is no page size', value => {
  expect(faultsOf(`?limit=${encodeURIComponent(value)}`)).toHaveLength(1)
})
test.each(['%00', 'W10', '!!!', 'eyJhIjoxfQ', 'x'.repeat(500)])('%p is no cursor', value => {
  expect(faultsOf(`?cursor=${value}`)).toHaveLength(1)
})
