import { afterAll, beforeAll, expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import postgres from 'postgres'
import { servers, testLog, until } from '../testing'
import { migrate, waitForMigrations } from './migrate'
import { connectPostgres, type Sql } from './postgres'
import { missingSettings } from './role-settings'

const name = `test_${randomUUID().replaceAll('-', '')}`
const url = Object.assign(new URL(servers.postgresUrl), { pathname: `/${name}` }).href
let admin: Sql
let sql: Sql
let folder: string

beforeAll(async () => {
  admin = connectPostgres({ url: servers.postgresUrl, poolMax: 1, applicationName: 'test' })
  await admin.unsafe(`create database ${name}`)
  sql = connectPostgres({ url, poolMax: 3, applicationName: 'test' })
  folder = await mkdtemp(join(tmpdir(), 'migrations-'))
  await Bun.write(join(folder, '0001_first.sql'), 'create table first (n int); insert into first values (1);')
})
afterAll(async () => {
  await sql.end({ timeout: 1 })
  await admin.unsafe(`drop database ${name} with (force)`)
  await admin.end()
  await rm(folder, { recursive: true })
})

const applied = async () => (await sql<{ name: string }[]>`select name from migration order by applied_at, name`).map(row => row.name)

test('several that migrate at once apply each migration once, kit’s tables first', async () => {
  await Promise.all([1, 2, 3].map(() => migrate({ url, folder, log: testLog })))
  expect(await applied()).toEqual([
    'kit/0001_outbox.sql',
    'kit/0002_job.sql',
    'kit/0003_outbox_published.sql',
    'kit/0004_outbox_refusal.sql',
    'kit/0005_outbox_published_unused.sql',
    'own/0001_first.sql',
  ])
  expect((await sql`select n from first`).length).toBe(1)
})

test('a migration that fails leaves nothing of itself and is tried again the next time', async () => {
  const file = join(folder, '0002_second.sql')
  await Bun.write(file, 'create table second (n int); select 1/0;')
  await expect(migrate({ url, folder, log: testLog })).rejects.toThrow('division by zero')
  expect(await sql`select to_regclass('second') as found`).toMatchObject([{ found: null }])
  await Bun.write(file, 'create table second (n int);')
  await migrate({ url, folder, log: testLog })
  expect(await applied()).toContain('own/0002_second.sql')
})

test('a migration that cannot get its lock gives up instead of queueing before the traffic', async () => {
  await Bun.write(join(folder, '0003_third.sql'), 'alter table first add column m int;')
  const release = Promise.withResolvers<void>()
  const locked = Promise.withResolvers<void>()
  const holding = sql.begin(async sql => {
    await sql`select * from first for update`
    locked.resolve()
    await release.promise
  })
  await locked.promise
  await expect(migrate({ url, folder, log: testLog, lockTimeoutMs: 100 })).rejects.toThrow('lock timeout')
  release.resolve()
  await holding
  await migrate({ url, folder, log: testLog })
})

test('a concurrent index is built outside a transaction; one that failed half-way is built anew and valid', async () => {
  await Bun.write(
    join(folder, '0003_zz_index.sql'),
    '-- filmgate: no transaction\n-- Why it is needed.\ncreate unique index concurrently if not exists first_n on first (n);\ncreate index concurrently if not exists first_m on first (m);\n',
  )
  await sql`insert into first (n) values (7), (7)`
  await expect(migrate({ url, folder, log: testLog })).rejects.toThrow('could not create unique index')
  expect(await indexes()).toEqual([{ name: 'first_n', valid: false }])
  expect(await applied()).not.toContain('own/0003_zz_index.sql')
  await sql`delete from first where n = 7`
  await migrate({ url, folder, log: testLog })
  expect(await indexes()).toEqual([
    { name: 'first_m', valid: true },
    { name: 'first_n', valid: true },
  ])
  expect(await applied()).toContain('own/0003_zz_index.sql')
})

test('several that migrate at once build a concurrent index, and wait for transactions that are older', async () => {
  await Bun.write(
    join(folder, '0003_zzz_index.sql'),
    '-- filmgate: no transaction\ncreate index concurrently if not exists first_nm on first (n, m);\n',
  )
  const release = Promise.withResolvers<void>()
  const writing = sql.begin(async sql => {
    await sql`insert into first (n) values (8)`
    await release.promise
  })
  const migrations = Promise.all([1, 2, 3].map(() => migrate({ url, folder, log: testLog, lockTimeoutMs: 100 })))
  await until('the build waits', async () => (await sql`select from pg_stat_progress_create_index where phase like 'waiting%'`).length > 0)
  setTimeout(release.resolve, 300)
  await Promise.all([writing, migrations])
  expect(await indexes()).toContainEqual({ name: 'first_nm', valid: true })
})

const indexes = async () =>
  [
    ...(await sql`
    select relname as name, indisvalid as valid from pg_index join pg_class on pg_class.oid = indexrelid
    where relname like 'first_%' order by relname`),
  ].map(row => ({ ...row }))

test('whoever waits for migrations goes on when the last of its build is there, and not before', async () => {
  await Bun.write(join(folder, '0004_fourth.sql'), 'create table fourth (n int);')
  const stop = new AbortController()
  let there = false
  const waiting = waitForMigrations({ sql, folder, log: { warn: () => {} }, signal: stop.signal }).then(result => {
    there = true
    return result
  })
  expect(await Promise.race([waiting, Bun.sleep(300).then(() => 'waiting')])).toBe('waiting')
  await migrate({ url, folder, log: testLog })
  await until('the wait is over', () => there)
  expect(await waiting).toBe(true)
})

test('a wait for migrations ends when it is told to', async () => {
  await Bun.write(join(folder, '0005_fifth.sql'), 'select 1;')
  const stop = new AbortController()
  const waiting = waitForMigrations({ sql, folder, log: { warn: () => {} }, signal: stop.signal })
  stop.abort()
  expect(await waiting).toBe(false)
})

test('with a direct address the settings of connections are kept with the role of the other address, once', async () => {
  const role = `test_${randomUUID().replaceAll('-', '')}`
  const as = (database: string) =>
    Object.assign(new URL(servers.postgresUrl), { username: role, password: role, pathname: `/${database}` }).href
  await admin.unsafe(`create role ${role} login password '${role}'`)
  await admin.unsafe(`create database ${role} owner ${role}`)
  const directUrl = as(role)
  const bare = () => postgres(directUrl, { max: 1 }) as unknown as Sql
  try {
    const before = bare()
    expect((await missingSettings(before)).sort()).toEqual([
      'enable_seqscan',
      'idle_in_transaction_session_timeout',
      'plan_cache_mode',
      'statement_timeout',
    ])
    await migrate({ url: directUrl, folder, log: testLog })
    expect(await missingSettings(before)).not.toEqual([])
    await before.end()
    const nobody = Object.assign(new URL(directUrl), { host: '127.0.0.1:1' }).href
    await migrate({ url: nobody, directUrl, folder, log: testLog })
    const after = bare()
    expect(await missingSettings(after)).toEqual([])
    await after.end()
  } finally {
    await admin.unsafe(`drop database ${role} with (force)`)
    await admin.unsafe(`drop role ${role}`)
  }
})

test('who waits for migrations also waits for the settings that a pooler drops', async () => {
  await migrate({ url, folder, log: testLog })
  const stopping = new AbortController()
  const bare = postgres(url, { max: 1 }) as unknown as Sql
  const warnings: object[] = []
  const waiting = waitForMigrations({
    sql: bare,
    folder,
    log: { warn: (fields: object) => warnings.push(fields) } as never,
    signal: stopping.signal,
  })
  await until('a warning', () => warnings.length > 0)
  stopping.abort()
  expect(await waiting).toBe(false)
  expect(warnings[0]).toMatchObject({ missing: expect.arrayContaining(['statement_timeout']) })
  await bare.end()
})
