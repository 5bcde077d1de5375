import { afterAll, beforeAll, expect, test } from 'bun:test'
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { migrate } from '@filmgate/kit/database/migrate'
import { type TestDatabase, testDatabase, testLog } from '@filmgate/kit/testing'

const once = '0006_maker_task_id_once.sql'
const migrations = join(import.meta.dir, '../../../migrations')
let folder: string
let database: TestDatabase

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'migrations-'))
  await cp(migrations, folder, { recursive: true })
  for (const file of await readdir(folder)) if (file >= once) await rm(join(folder, file))
  database = await testDatabase(folder)
})
afterAll(async () => {
  await database.drop()
  await rm(folder, { recursive: true })
})

/** As the version before could leave them: a provider told one id to several. */
const insert = (...ids: string[]) => database.sql`
  insert into attempt (id, task_id, account_id, number, maker, maker_model, model, state, maker_task_id, absence_proves_at)
  select id, 'task-' || id, 'a', 1, 'alpha', 'm', 'alpha-h3', 'accepted', 'theirs', now() from unnest(${ids}::text[]) as id`

test('ids that a provider told several attempts are put right before the index is built, also where an earlier build failed', async () => {
  await insert('a1', 'a2', 'a3')
  const build = database.sql`
    create unique index concurrently attempt_maker_task_id
    on attempt (maker, maker_task_id) where maker_task_id is not null and not maker_task_id_disputed`
  await expect(build).rejects.toThrow('could not create unique index')
  await cp(join(migrations, once), join(folder, once))
  await migrate({ url: database.url, folder, log: testLog })
  expect([...(await database.sql`select id from attempt where not maker_task_id_disputed`)].map(({ id }) => id)).toEqual(['a1'])
  expect(await database.sql`select indisvalid as valid from pg_index where indexrelid = 'attempt_maker_task_id'::regclass`).toMatchObject([
    { valid: true },
  ])
  await expect(insert('a4')).rejects.toThrow('attempt_maker_task_id')
  // The later migrations rename the column and the index; both keep what they hold.
  await migrate({ url: database.url, folder: migrations, log: testLog })
  expect([...(await database.sql`select id from attempt where not provider_task_id_disputed`)].map(({ id }) => id)).toEqual(['a1'])
  expect(
    await database.sql`select indisvalid as valid from pg_index where indexrelid = 'attempt_provider_task_id'::regclass`,
  ).toMatchObject([{ valid: true }])
})
