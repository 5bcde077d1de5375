import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { renderError } from '@filmgate/kit/http/render-error'
import { testBucket, testDatabase, testLog } from '@filmgate/kit/testing'
import { testOperators } from '@filmgate/kit/testing/test-operators'
import { Elysia } from 'elysia'
import { reasons } from '../errors'
import { factRoutes } from './operator-routes'

const { sql, drop } = await testDatabase(join(import.meta.dir, '../../migrations'))
const { store: outputs } = await testBucket()
const operators = testOperators({ reader: { name: 'rita', role: 'read' } })
const app = new Elysia({ normalize: false }).use(renderError(testLog, reasons)).use(factRoutes({ sql, outputs, operators }))

async function list(path: string, token = 'reader') {
  const headers = { authorization: `Bearer ${token}` }
  const response = await app.handle(new Request(`http://dispatcher/operator/facts/${path}`, { headers }))
  const body = (await response.json()) as { data?: Record<string, unknown>[] }
  return { status: response.status, data: body.data ?? [] }
}

const at = '2026-11-20T10:00:00.000Z'
type Output = { key: string; bytes: number; keptHours: number }
const insert = (task: string, number: number, state: string, output?: Output) => sql`
  insert into attempt (id, task_id, account_id, number, provider, provider_model, model, state, provider_task_id, absence_proves_at, updated_at,
                       output_key, output_bytes, output_expires_at, ended_at)
  values (${`${task}-${number}`}, ${task}, 'a1', ${number}, 'p', 'pm', 'm', ${state}, ${`${task}-${number}`}, now(), ${at},
          ${output?.key ?? null}, ${output?.bytes ?? null}, now() + ${output?.keptHours ?? null}::float8 * interval '1 hour',
          case when ${state} in ('completed', 'refused') then now() end)`

beforeAll(async () => {
  await insert('vt_1', 1, 'refused')
  await insert('vt_1', 2, 'completed', { key: 'one.mp4', bytes: 3, keptHours: 9 })
  await insert('vt_2', 1, 'accepted')
  await insert('vt_3', 1, 'completed', { key: 'three.mp4', bytes: 3, keptHours: 9 })
  await insert('vt_4', 1, 'completed', { key: 'four.mp4', bytes: 3, keptHours: 0.5 })
  await outputs.put('one.mp4', new Uint8Array(3), { contentType: 'video/mp4' })
})
afterAll(async () => {
  await outputs.remove(['one.mp4'])
  await drop()
})

test('the last attempt of each task is listed', async () => {
  const fact = { account_id: 'a1', changed_at: at }
  const all = [
    { ...fact, task_id: 'vt_1', state: 'completed' },
    { ...fact, task_id: 'vt_2', state: 'accepted' },
    { ...fact, task_id: 'vt_3', state: 'completed' },
    { ...fact, task_id: 'vt_4', state: 'completed' },
  ]
  expect(await list('attempts')).toEqual({ status: 200, data: all })
  expect((await list('attempts?after=vt_1&limit=1')).data).toEqual(all.slice(1, 2))
  expect((await list('attempts?id=vt_1')).data).toEqual(all.slice(0, 1))
})

test('outputs are listed with what the store has of them, but those that are about to expire', async () => {
  const [stored, lost] = [
    { task_id: 'vt_1', key: 'one.mp4', bytes: 3, stored_bytes: 3 },
    { task_id: 'vt_3', key: 'three.mp4', bytes: 3, stored_bytes: null },
  ]
  expect(await list('outputs')).toEqual({ status: 200, data: [stored, lost] })
  expect((await list('outputs?through=vt_2')).data).toEqual([stored])
})

test('without a token nothing is listed', async () => {
  for (const path of ['attempts', 'outputs']) expect((await list(path, 'nobody')).status).toBe(401)
})
