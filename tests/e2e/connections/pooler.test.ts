import { afterAll, beforeAll, expect, test } from 'bun:test'
import { connectPostgres } from '@filmgate/kit/database/postgres'
import { ownWords, smallRequest } from '../../support/client/request'
import { type PooledServices, startPooledServices } from '../../support/servers/pooled-services'
import { settings } from '../../support/settings'
import { until } from '../../support/until'

const hookTimeoutMs = 400_000
const testTimeoutMs = 180_000
/** Far fewer than the services have: each transaction gets whichever is free. */
const poolSize = 2
const tasks = 3
/** Of each task, so often: the key’s limit has room for all of it. */
const [readsAtOnce, readEveryMs] = [10, 1_000]
let services: PooledServices

beforeAll(async () => {
  services = await startPooledServices(poolSize)
}, hookTimeoutMs)
afterAll(() => services?.stop(), hookTimeoutMs)

async function call<T>(service: 'gateway' | 'ledger', path: string, bearer: string, body?: object): Promise<T> {
  const response = await fetch(`${services.url(service)}${path}`, {
    method: body ? 'POST' : 'GET',
    headers: {
      authorization: `Bearer ${bearer}`,
      'content-type': 'application/json',
      'x-filmgate-operator': 'ada',
      'idempotency-key': crypto.randomUUID(),
    },
    body: body && JSON.stringify(body),
    keepalive: false,
  })
  return (await response.json()) as T
}

test(
  'videos are made, paid for and audited through a pooler in transaction mode, over few connections',
  async () => {
    const opened = { name: 'pooled', credits: 1_000 }
    const { api_key } = await call<{ api_key: string }>('gateway', '/operator/accounts', settings.operatorToken, opened)
    const credits = async () => (await call<{ available_credits: number }>('gateway', '/api/v1/credits', api_key)).available_credits
    await until('the credits of a new account', async () => (await credits()) === 1_000)
    const accepted = await Promise.all(
      Array.from({ length: tasks }, () =>
        call<{ id: string; estimated_credits: number }>(
          'gateway',
          '/api/v1/video/generations',
          api_key,
          smallRequest({ prompt: ownWords() }),
        ),
      ),
    )
    // Reads side by side, while the tasks run, want more connections than there are.
    const ended = await Promise.all(
      accepted.map(({ id }) =>
        until(
          `task ${id}`,
          async () => {
            const reads = Array.from({ length: readsAtOnce }, () => call<{ status: string }>('gateway', `/api/v1/tasks/${id}`, api_key))
            return (await Promise.all(reads)).find(({ status }) => ['completed', 'failed'].includes(status))
          },
          90_000,
          readEveryMs,
        ),
      ),
    )
    expect(ended.map(({ status }) => status)).toEqual(Array(tasks).fill('completed'))
    await until('the charges', async () => (await credits()) < 1_000)
    const audit = await call<{ findings: unknown[]; checked: unknown }>('ledger', '/operator/audit', settings.operatorToken, {})
    expect(audit).toMatchObject({ findings: [] })

    const byDatabase = Object.values(Object.groupBy(await services.connections(), ({ database }) => database))
    expect(byDatabase.length).toBeGreaterThanOrEqual(4)
    // One more where an audit is under way, which goes round the pooler.
    for (const connections of byDatabase) expect(connections?.length).toBeLessThanOrEqual(poolSize + 1)
  },
  testTimeoutMs,
)

test(
  'each connection that the pooler gives has our settings: one statement holds nothing for long',
  async () => {
    const url = services.directUrl('ledger')
    const sql = connectPostgres({ url: services.pooler.url(url), directUrl: url, poolMax: 8, applicationName: 'test' })
    const seen = await Promise.all(
      Array.from(
        { length: 40 },
        (_, n) => sql`
        select current_setting('statement_timeout') as statement, current_setting('idle_in_transaction_session_timeout') as idle,
               current_setting('plan_cache_mode') as plans, current_setting('enable_seqscan') as scans, ${n}::int as n, pg_sleep(0.01)::text`,
      ),
    )
    expect(seen.map(([row]) => row)).toEqual(
      Array.from({ length: 40 }, (_, n) => ({
        statement: '10s',
        idle: '1min',
        plans: 'force_generic_plan',
        scans: 'off',
        n,
        pg_sleep: '',
      })),
    )
    await expect(sql`select pg_sleep(20)`.then()).rejects.toMatchObject({ code: '57014' })
    await sql.end({ timeout: 1 })
  },
  testTimeoutMs,
)
