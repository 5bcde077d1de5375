import { afterAll, expect, test } from 'bun:test'
import { DeadlineError } from '../deadline'
import { servers, until } from '../testing'
import { connectPostgres, isDataFault, isTransient, type Sql } from './postgres'

const sql = connectPostgres({ url: servers.postgresUrl, poolMax: 2, applicationName: 'test', statementTimeoutMs: 300 })
afterAll(() => sql.end({ timeout: 1 }))

const errorOf = async (work: PromiseLike<unknown>): Promise<unknown> => {
  try {
    await work
  } catch (error) {
    return error
  }
  throw new Error('it did not fail')
}

test('bigint arrives as a number, up to the largest that is exact', async () => {
  const [row] = await sql`select 9007199254740991::bigint as n, count(*) as c from (values (1), (2)) as v`
  expect(row).toEqual({ n: 9_007_199_254_740_991, c: 2 })
})

test('bigint and its arrays go out as they are', async () => {
  const rows = await sql`select n, ${7}::bigint as m from unnest(${[1, 2 ** 53 - 1]}::bigint[]) as row (n) order by n`
  expect(rows.map(row => ({ ...row }))).toEqual([
    { n: 1, m: 7 },
    { n: 2 ** 53 - 1, m: 7 },
  ])
})

test('a server that is not there passes', async () => {
  const nowhere = connectPostgres({ url: 'postgres://u:p@127.0.0.1:1/x', poolMax: 1, applicationName: 'test' })
  expect(isTransient(await errorOf(nowhere`select 1`))).toBe(true)
  await nowhere.end({ timeout: 0 })
})

test('a statement ended by the server, a connection cut and a deadlock pass', async () => {
  expect(isTransient(await errorOf(sql`select pg_sleep(2)`))).toBe(true)
  expect(isTransient(await errorOf(cutInTransaction(sql)))).toBe(true)
  expect(isTransient(await errorOf(deadlock()))).toBe(true)
})

test('after its connection was cut a transaction does nothing more, least of all on the connection that comes next', async () => {
  const one = connectPostgres({ url: servers.postgresUrl, poolMax: 1, applicationName: 'test' })
  const stray = `stray_${crypto.randomUUID().replaceAll('-', '')}`
  const late = Promise.withResolvers<unknown>()
  const transaction = one.begin(async sql => {
    const [row] = await sql`select pg_backend_pid() as pid`
    await terminate(row?.pid)
    await errorOf(sql`select 1`)
    // By then the pool has a new connection.
    await until('a new connection', async () => (await one`select 1 as n`.catch(() => [])).length === 1)
    await sql`create table ${sql(stray)} (n int)`.then(late.resolve, late.reject)
  })
  const failure = await errorOf(transaction)
  expect(isTransient(failure)).toBe(true)
  expect(isTransient(await errorOf(late.promise))).toBe(true)
  expect(await one`select to_regclass(${stray}) as found`).toMatchObject([{ found: null }])
  await one.end()
})

test('connections cut under load lose no answer to another statement', async () => {
  const pool = connectPostgres({ url: servers.postgresUrl, poolMax: 4, applicationName: `cut-${crypto.randomUUID()}` })
  const [settings] = await pool`select current_setting('application_name') as name`
  const cutter = connectPostgres({ url: servers.postgresUrl, poolMax: 1, applicationName: 'test' })
  const seen = { right: 0, cut: 0 }
  const ask = async (n: number) => {
    try {
      const answers = await pool.begin(async sql => {
        const [a, b] = await Promise.all([sql`select ${n}::int as n`, sql`select ${-n}::int as n, pg_sleep(0.001)`])
        const [c] = await sql`select ${n * 2}::int as n`
        return [a[0]?.n, b[0]?.n, c?.n]
      })
      expect(answers).toEqual([n, -n, n * 2])
      seen.right += 1
    } catch (error) {
      if (!isTransient(error)) throw error
      seen.cut += 1
    }
  }
  let next = 0
  const clients = Array.from({ length: 16 }, async () => {
    while (next < 2_000) await ask(++next)
  })
  for (let cut = 0; cut < 10; cut++) {
    const from = next
    await until('traffic', () => next > from + 50)
    await cutter`select pg_terminate_backend(pid) from pg_stat_activity where application_name = ${settings?.name}`
  }
  await Promise.all(clients)
  expect(seen.right + seen.cut).toBeGreaterThanOrEqual(2_000)
  expect(seen.cut).toBeGreaterThan(0)
  await Promise.all([pool.end(), cutter.end()])
}, 60_000)

test('what is wrong with the data or the statement does not pass', async () => {
  for (const work of [sql`select 1/0`, sql`select * from no_such_table`, sql`select 'x'::int`, sql.unsafe('select oops from')])
    expect(isTransient(await errorOf(work))).toBe(false)
  expect(isTransient(new Error('any'))).toBe(false)
  expect(isTransient('a text')).toBe(false)
})

test.each(['25006', '25P03', '53300', '57P01', '40001', '08006', '28P01', '28000', '3D000', '42501', '58030', 'F0000'])(
  'SQLSTATE %s passes',
  code => {
    expect(isTransient(Object.assign(new Error('x'), { code }))).toBe(true)
  },
)

test('a refused login, a database that is gone and a missing grant pass, as the server says them', async () => {
  const role = `test_${crypto.randomUUID().replaceAll('-', '')}`
  const as = (password: string, path = new URL(servers.postgresUrl).pathname) =>
    connectPostgres({
      url: Object.assign(new URL(servers.postgresUrl), { username: role, password, pathname: path }).href,
      poolMax: 1,
      applicationName: 'test',
    })
  const table = `${role}_table`
  await sql.unsafe(`create role ${role} login password 'right'; create table ${table} (n int)`)
  const pools = { wrong: as('wrong'), nowhere: as('right', `/${role}`), granted: as('right') }
  try {
    const errors = [
      await errorOf(pools.wrong`select 1`),
      await errorOf(pools.nowhere`select 1`),
      await errorOf(pools.granted.unsafe(`select * from ${table}`)),
    ]
    expect(errors.map(error => [(error as { code: string }).code, isTransient(error)])).toEqual([
      ['28P01', true],
      ['3D000', true],
      ['42501', true],
    ])
  } finally {
    await Promise.all(Object.values(pools).map(pool => pool.end({ timeout: 1 })))
    await sql.unsafe(`drop table ${table}; drop role ${role}`)
  }
})

test('what the database refuses of a value is the data’s fault, and nothing else is', async () => {
  for (const work of [sql`select 1/0`, sql`select 'x'::int`]) expect(isDataFault(await errorOf(work))).toBe(true)
  for (const work of [sql`select * from no_such_table`, sql.unsafe('select oops from')])
    expect(isDataFault(await errorOf(work))).toBe(false)
  expect(isDataFault(Object.assign(new Error('any'), { code: '22000' }))).toBe(false)
})

test('a wait that ran out passes, and so does one of several causes that pass', () => {
  expect(isTransient(new DeadlineError('it', 5))).toBe(true)
  expect(isTransient(new AggregateError([new Error('any'), Object.assign(new Error('x'), { code: 'ECONNREFUSED' })]))).toBe(true)
})

async function terminate(pid: number): Promise<void> {
  const other = connectPostgres({ url: servers.postgresUrl, poolMax: 1, applicationName: 'test' })
  await other`select pg_terminate_backend(${pid})`
  await other.end()
}

const cutInTransaction = (sql: Sql) =>
  sql.begin(async sql => {
    const [row] = await sql`select pg_backend_pid() as pid`
    await terminate(row?.pid)
    await sql`select 1`
  })

async function deadlock(): Promise<void> {
  const unbounded = connectPostgres({ url: servers.postgresUrl, poolMax: 2, applicationName: 'test' })
  const met = [Promise.withResolvers<void>(), Promise.withResolvers<void>()] as const
  const one = (first: number, second: number, mine: 0 | 1, theirs: 0 | 1) =>
    unbounded.begin(async sql => {
      await sql`select pg_advisory_xact_lock(${726_000 + first})`
      met[mine].resolve()
      await met[theirs].promise
      await sql`select pg_advisory_xact_lock(${726_000 + second})`
    })
  try {
    await Promise.all([one(1, 2, 0, 1), one(2, 1, 1, 0)])
  } finally {
    await unbounded.end()
  }
}
