import { afterAll, beforeAll, expect, test } from 'bun:test'
import { taskIdAt } from '@filmgate/proto/task-id'
import { consoleApi } from './testing/console-api'

let api: Awaited<ReturnType<typeof consoleApi>>
beforeAll(async () => {
  api = await consoleApi()
})
afterAll(() => api.close())

type State = { surface?: string; phase?: string; rank?: number; billing?: string | null; billingRank?: number }

/** Puts `count` tasks into the account, with ids that end in `first` and what follows. */
const insert = (
  accountId: string,
  first: number,
  count: number,
  { surface = 'api', phase = 'completed', rank = 4, billing = 'settled', billingRank = 4 }: State = {},
) => api.sql`
  insert into task (id, account_id, key_id, surface, idempotency_key, fingerprint, prompt, model, mode, resolution, billed_seconds, price_version, phase,
                    phase_rank, billing_status, billing_rank, created_at, updated_at, admit_by)
  select ${accountId} || '_' || lpad(n::text, 6, '0'), ${accountId}, ${accountId}, ${surface}, n::text, '', 'a cat', 'm', 't', '768p', 5, 'p', ${phase}, ${rank}, ${billing},
         ${billingRank}, now(), now(), now()
  from generate_series(${first}::int, ${first + count - 1}::int) as n`

const made = { surface: 'web', phase: 'accepted', rank: 2, billing: 'reserved', billingRank: 1 }
const lost = { surface: 'web', phase: 'failed', rank: 4, billing: 'refunded', billingRank: 4 }

test('few tasks of a state among a hundred thousand others are found without walking them', async () => {
  const id = await api.open()
  await insert(id, 0, 2, lost)
  await insert(id, 2, 1, made)
  await insert(id, 3, 1, { phase: 'declined', billing: null, billingRank: 0 })
  // In parts: the pool ends a statement after 10 s, which one of all may take on a busy machine.
  for (let first = 4; first < 100_004; first += 20_000) await insert(id, first, 20_000)
  await api.sql`update task set tags = '{"shot": "12"}' where id in (${`${id}_000001`}, ${`${id}_000002`})`
  await api.sql`analyze task`
  const numbers = async (query: string) => {
    const { body, status } = await api.ask('GET', `/accounts/${id}/tasks${query}`)
    expect(status).toBe(200)
    return (body.data as { id: string }[]).map(task => Number(task.id.split('_').at(-1)))
  }
  const startedAt = performance.now()
  expect(await numbers('?status=failed')).toEqual([1, 0])
  expect(await numbers('?status=processing')).toEqual([2])
  expect(await numbers('?surface=web')).toEqual([2, 1, 0])
  expect(await numbers('?limit=2')).toEqual([100_003, 100_002])
  expect(await numbers('?tag=shot%3D12')).toEqual([2, 1])
  expect(await numbers('?tag=shot%3D12&status=processing')).toEqual([2])
  expect(await numbers('?tag=shot%3D13')).toEqual([])
  expect(performance.now() - startedAt).toBeLessThan(7 * 250)
  expect((await api.ask('GET', `/accounts/${id}`)).body.unfinished).toBe(1)
}, 60_000)

/** With these prompts, a minute apart from noon on, the last one newest. */
async function insertPrompts(accountId: string, prompts: string[]): Promise<string[]> {
  const noon = Date.parse('2026-11-20T12:00:00Z')
  const rows = prompts.map((prompt, n) => ({ id: taskIdAt(new Date(noon + n * 60_000 + 1)), n: String(n), prompt }))
  await insert(accountId, 0, prompts.length)
  for (const { id, n, prompt } of rows)
    await api.sql`
      update task set id = ${id}, prompt = ${prompt}, model = ${n === '0' ? 'other' : 'm'}, key_id = ${n === '1' ? 'key_one' : accountId}
      where id = ${`${accountId}_${n.padStart(6, '0')}`}`
  return rows.map(({ id }) => id)
}

test('tasks are searched by words of the prompt, id, model, key and time', async () => {
  const id = await api.open()
  const ids = await insertPrompts(id, ['A red fox in snow', 'snow at 100 % zoom', 'Füchse im Schnee', String.raw`a\b_c`])
  const found = async (query: string) => {
    const { body, status } = await api.ask('GET', `/accounts/${id}/tasks?${query}`)
    expect(status).toBe(200)
    return (body.data as { id: string }[]).map(task => ids.indexOf(task.id))
  }
  expect(await found('text=snow')).toEqual([1, 0])
  expect(await found('text=SNOW++fox')).toEqual([0])
  expect(await found(`text=${encodeURIComponent('füchse')}`)).toEqual([2])
  for (const [sign, n] of [
    ['%', 1],
    ['_', 3],
    ['\\', 3],
  ] as const)
    expect(await found(`text=${encodeURIComponent(sign)}`)).toEqual([n])
  expect(await found(`text=${ids[2]}`)).toEqual([2])
  expect(await found('text=+')).toEqual([3, 2, 1, 0])
  expect(await found('model=other')).toEqual([0])
  expect(await found('key_id=key_one&text=zoom&status=completed')).toEqual([1])
  expect(await found('key_id=key_one&status=failed')).toEqual([])
  expect(await found('from=2026-11-20T12:01:00Z&to=2026-11-20T12:03:00Z')).toEqual([2, 1])
  expect(await found('from=2026-11-21')).toEqual([])
  expect(await api.ask('GET', `/accounts/${id}/tasks?text=`)).toMatchObject({ status: 400 })
  expect(await api.ask('GET', `/accounts/${id}/tasks?text=${'x'.repeat(201)}`)).toMatchObject({ status: 400 })
})

test('a search of many tasks looks through the newest, and says where the next page goes on', async () => {
  const id = await api.open()
  for (let first = 0; first < 50_000; first += 10_000) await insert(id, first, 10_000)
  await api.sql`update task set prompt = 'the only dragon' where id in (${`${id}_000007`}, ${`${id}_000009`}, ${`${id}_040000`})`
  const pages: number[][] = []
  let cursor: unknown = ''
  do {
    const { body } = await api.ask('GET', `/accounts/${id}/tasks?text=dragon&limit=2${cursor && `&cursor=${cursor}`}`)
    pages.push((body.data as { id: string }[]).map(task => Number(task.id.split('_').at(-1))))
    expect(body.has_more).toBe(body.next_cursor !== null)
    cursor = body.next_cursor
  } while (cursor)
  expect(pages).toEqual([[40_000], [], [], [], [9, 7]])
}, 60_000)

test('what was declined before any credits were held is no task', async () => {
  const id = await api.open()
  await insert(id, 0, 1, { phase: 'declined', billing: null, billingRank: 0 })
  expect((await api.ask('GET', `/accounts/${id}/tasks`)).body.data).toEqual([])
  expect(await api.ask('GET', `/accounts/${id}/tasks/${id}_000000`)).toMatchObject({
    status: 404,
    body: { error: { code: 'task_not_found' } },
  })
})

test('a task of another account is not found, nor its story, whatever it is', async () => {
  const [mine, other] = [await api.open(), await api.open()]
  await insert(other, 0, 1, made)
  for (const path of ['', '/story'])
    expect(await api.ask('GET', `/accounts/${mine}/tasks/${other}_000000${path}`)).toMatchObject({ status: 404 })
  expect((await api.ask('GET', `/accounts/${other}/tasks/${other}_000000`)).body).toMatchObject({
    prompt: 'a cat',
    progress: 0.25,
    phase: 'accepted',
  })
})
