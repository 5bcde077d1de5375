import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { type TestDatabase, testDatabase } from '../testing'
import { recordset } from './recordset'

let database: TestDatabase

beforeAll(async () => {
  database = await testDatabase(join(import.meta.dir, '../testing/no-migrations'))
  await database.sql`create table fact (id text primary key, n int not null default 0)`
})
afterAll(() => database.drop())

const select = async (columns: Record<string, string>, rows: Record<string, unknown>[]) =>
  (await database.sql`select * from ${recordset(database.sql, 'row', columns, rows)}`).map(row => ({ ...row }))

test('rows arrive in their order and with the types of their columns; what one lacks is null, and what was not asked for stays', async () => {
  const at = new Date('2026-03-01T12:00:00.123Z')
  const rows = [
    { id: 'a "quoted" \\ text', n: 2 ** 53 - 1, at, flag: true, details: { x: [1] }, notAsked: 7n },
    { id: 'ünïcode 🎬', flag: false, n: undefined },
    {},
  ]
  expect(await select({ id: 'text', n: 'bigint', at: 'timestamptz', flag: 'boolean', details: 'jsonb' }, rows)).toEqual([
    { id: 'a "quoted" \\ text', n: 2 ** 53 - 1, at, flag: true, details: { x: [1] } },
    { id: 'ünïcode 🎬', n: null, at: null, flag: false, details: null },
    { id: null, n: null, at: null, flag: null, details: null },
  ])
  expect(await select({ id: 'text' }, [])).toEqual([])
})

test('half of a surrogate pair is replaced as in every other parameter; what only looks so is left; NUL is refused', async () => {
  const id = '\\ud83c'
  expect(await select({ id: 'text' }, [{ id: 'a\ud83cb\udfacc🎬' }, { id }])).toEqual([{ id: 'a\ufffdb\ufffdc🎬' }, { id }])
  await expect(select({ id: 'text' }, [{ id: 'a\0b' }])).rejects.toThrow('unsupported Unicode escape sequence')
})

test('a plan made while a table was small looks rows up by key when it is large', async () => {
  const { sql } = database
  const bump = (ids: string[]) =>
    sql.begin(async sql => {
      const rows = ids.map(id => ({ id }))
      const bumped =
        await sql`update fact set n = n + 1 from ${recordset(sql, 'row', { id: 'text' }, rows)} where fact.id = row.id returning fact.id`
      const [read] = await sql<{ rows: number }[]>`
        select coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0) as rows from pg_stat_xact_user_tables where relname = 'fact'`
      return { bumped: bumped.length, read: read?.rows }
    })
  const grow = (from: number, to: number) =>
    sql`insert into fact (id) select 'id ' || n from generate_series(${from}::int, ${to}::int) as n`
  await grow(1, 60)
  await sql`analyze fact`
  // On every connection of the pool.
  await Promise.all(Array.from({ length: 40 }, () => bump(['absent'])))
  await grow(61, 20_000)
  expect(await bump(['id 7', 'id 8'])).toEqual({ bumped: 2, read: 2 })
})
