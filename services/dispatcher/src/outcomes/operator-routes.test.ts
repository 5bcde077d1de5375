import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { renderError } from '@filmgate/kit/http/render-error'
import { testDatabase, testLog } from '@filmgate/kit/testing'
import { testOperators } from '@filmgate/kit/testing/test-operators'
import type { OutcomeAttempt, Outcomes } from '@filmgate/proto/operator/provider'
import { Elysia } from 'elysia'
import { attemptIdAt } from '../attempt/attempt-id'
import { reasons } from '../errors'
import { insertHold } from '../holds/hold-repository'
import { outcomeRoutes } from './operator-routes'

const { sql, drop } = await testDatabase(join(import.meta.dir, '../../migrations'))
const operators = testOperators({ reader: { name: 'rita', role: 'read' } })
const app = new Elysia({ normalize: false }).use(renderError(testLog, reasons)).use(outcomeRoutes({ sql, operators }))

const day = Date.parse('2026-11-03T00:00:00Z')
const ofDay = 'from=2026-11-03T00:00:00Z&to=2026-11-04T00:00:00Z'

async function get<T>(path: string) {
  const headers = { authorization: 'Bearer reader' }
  const response = await app.handle(new Request(`http://dispatcher/operator/outcomes${path}`, { headers }))
  return { status: response.status, body: (await response.json()) as T }
}
const attempts = async (query: string) =>
  (await get<{ data: OutcomeAttempt[]; next_cursor: string | null }>(`/attempts?${ofDay}${query}`)).body

type Row = { provider?: string; model?: string; code?: string | null; seconds?: number; atMs?: number }
let rows = 0
/** An attempt of that day, ended after `seconds`. Returns its task. */
async function attempt(state: string, { provider = 'fal', model = 'm', code = null, seconds = 1, atMs = day }: Row = {}): Promise<string> {
  const id = `${attemptIdAt(atMs)}7${String(++rows).padStart(19, '0')}`
  const [made, ended] = [new Date(atMs), state === 'accepted' ? null : new Date(atMs + seconds * 1_000)]
  await sql`
    insert into attempt (id, task_id, account_id, number, provider, provider_model, model, state, code, cause, provider_task_id, absence_proves_at, output_key,
                         created_at, ended_at)
    values (${id}, ${`vt_${rows}`}, 'a1', 1, ${provider}, 'theirs', ${model}, ${state}, ${code}, 'as it said', ${`t${rows}`}, now(),
            ${state === 'completed' ? id : null}, ${made}, ${ended})`
  return `vt_${rows}`
}

let failed: string
let open: string
beforeAll(async () => {
  for (let seconds = 1; seconds <= 21; seconds++) await attempt('completed', { seconds })
  failed = await attempt('failed', { code: 'generation_failed' })
  for (let n = 0; n < 2; n++) await attempt('refused', { code: 'prompt_rejected' })
  open = await attempt('accepted', { atMs: day + 1_000 })
  await attempt('failed', { provider: 'vidu', code: 'generation_failed' })
  await attempt('refused', { provider: '', code: 'generation_unavailable' })
  await attempt('completed', { atMs: day - 1 })
  await attempt('completed', { atMs: day + 86_400_000 })
})
afterAll(drop)

test('outcomes of a day are counted by provider and model, with how long its videos took and why others failed', async () => {
  await insertHold(sql, {
    ...{ provider: 'fal', model: null, cause: 'paused', reason: 'slow', startedBy: 'ada', keyDigest: null, probeAfterMs: null },
  })
  const { body } = await get<Outcomes>(`?${ofDay}`)
  const nothing = { open: 0, completed: 0, seconds_p50: null, seconds_p95: null }
  expect(body.data).toEqual([
    {
      ...{ provider: null, model: 'm', attempts: 1, ...nothing },
      failures: [{ state: 'refused', code: 'generation_unavailable', attempts: 1 }],
    },
    {
      ...{ provider: 'fal', model: 'm', attempts: 25, open: 1, completed: 21, seconds_p50: 11, seconds_p95: 20 },
      failures: [
        { state: 'refused', code: 'prompt_rejected', attempts: 2 },
        { state: 'failed', code: 'generation_failed', attempts: 1 },
      ],
    },
    {
      ...{ provider: 'vidu', model: 'm', attempts: 1, ...nothing },
      failures: [{ state: 'failed', code: 'generation_failed', attempts: 1 }],
    },
  ])
  expect(body.holds).toMatchObject([{ provider: 'fal', cause: 'paused', by: 'ada' }])
})

test('each count leads to its attempts, newest first', async () => {
  const idsOf = async (query: string) => (await attempts(query)).data.map(one => one.task_id)
  expect(await idsOf('&provider=fal&model=m&state=failed&code=generation_failed')).toEqual([failed])
  expect(await idsOf('&state=open')).toEqual([open])
  expect((await attempts('&provider=none')).data).toMatchObject([{ provider: null, state: 'refused', cause: 'as it said' }])
  expect(await idsOf('&model=another')).toEqual([])
  expect((await idsOf('&provider=fal'))[0]).toBe(open)
})

test('a page of attempts ends after fifty, and the next begins behind it', async () => {
  for (let n = 0; n < 60; n++) await attempt('failed', { provider: 'kling', code: 'generation_failed' })
  const first = await attempts('&provider=kling')
  const second = await attempts(`&provider=kling&cursor=${first.next_cursor}`)
  expect([first.data.length, second.data.length, second.next_cursor]).toEqual([50, 10, null])
  expect(new Set([...first.data, ...second.data].map(one => one.id)).size).toBe(60)
})

test.each([
  '?from=2026-11-03T00:00:00Z',
  '?from=2026-11-03T00:00:00Z&to=2026-12-31T00:00:00Z',
  `/attempts?${ofDay}&provider=nobody`,
  `/attempts?${ofDay}&state=lost`,
  `/attempts?${ofDay}&model=%00`,
  `/attempts?${ofDay}&cursor=x`,
])('%s is refused', async path => {
  expect((await get(path)).status).toBe(400)
})
