import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { type TestDatabase, testDatabase, testLog, until } from '../testing'
import { planJobs } from './plan-jobs'

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase(join(import.meta.dir, '../testing/no-migrations'))
})
afterAll(() => database.drop())

const rowsOf = async (kind: string) => (await database.sql`select id from job where kind = ${kind}`).map(({ id }) => id)

test('jobs are planned once the database takes them, however late that is, and once only', async () => {
  const { sql } = database
  const kind = `kind-${crypto.randomUUID()}`
  let refused = 0
  let planned = 0
  await sql`alter table job rename to job_later`
  const options = { sql, jobs: [{ kind, id: 'one' }], planned: () => void planned++ }
  const late = planJobs({ ...options, log: { ...testLog, warn: () => void refused++ } })
  await until('it was refused twice', () => refused >= 2)
  await sql`alter table job_later rename to job`
  await until('it is planned', () => planned === 1)
  expect(await rowsOf(kind)).toEqual(['one'])
  const again = planJobs({ ...options, log: testLog })
  await until('it is planned again', () => planned === 2)
  expect(await rowsOf(kind)).toEqual(['one'])
  await Promise.all([late.stop(), again.stop()])
})

test('a service that stops before the database is there stops at once', async () => {
  const { sql } = database
  await sql`alter table job rename to job_later`
  const planned = planJobs({ sql, log: testLog, jobs: [{ kind: 'never', id: 'one' }], planned() {} })
  await planned.stop()
  await sql`alter table job_later rename to job`
  expect(await rowsOf('never')).toEqual([])
})
