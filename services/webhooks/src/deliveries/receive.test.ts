import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { create } from '@bufbuild/protobuf'
import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import { TasksEventSchema } from '@filmgate/proto/gen/filmgate/v1/tasks_pb'
import { insertCallback } from '../callbacks/callback-repository'
import { findEndpoint } from '../endpoints/endpoint-repository'
import { startParts, taskMessage } from '../testing/test-service'
import { deleteOld } from './delete-old'
import { listDeliveries } from './delivery-repository'

let parts: Awaited<ReturnType<typeof startParts>>
beforeAll(async () => {
  parts = await startParts([])
})
afterAll(() => parts.stop())

let accountId = ''
let endpointId = ''
beforeEach(async () => {
  accountId = `acct_${crypto.randomUUID()}`
  endpointId = (await parts.createEndpoint(accountId, 'https://hooks.example.com/a')).endpoint.id
})

const ended = (taskId: string) => taskMessage(accountId, taskId, 'taskEnded')
const closed = () => {
  const event = create(TasksEventSchema, { event: { case: 'accountClosed', value: { accountId, at: timestampFromDate(new Date()) } } })
  return { ...taskMessage(accountId, 'none', 'taskEnded'), event }
}
const tasks = async () => {
  const rows = await listDeliveries(parts.sql, { endpointId, status: null, beforeSeq: null, limit: 100 })
  return rows.map(({ taskId }) => taskId)
}
const isThere = async () => (await findEndpoint(parts.sql, accountId, endpointId)) !== undefined
const clean = () => deleteOld({ sql: parts.sql, keptDays: 30 })
const deliver = () => parts.sql`update delivery set status = 'delivered' where endpoint_id = ${endpointId}`

test('a closed account’s endpoint gets what came before, nothing after, and is deleted once all is sent', async () => {
  const message = closed()
  await parts.receive([ended('vt_1')])
  await parts.receive([ended('vt_2'), message])
  await parts.receive([message, ended('vt_3')])
  expect(await tasks()).toEqual(['vt_2', 'vt_1'])
  await clean()
  expect([await isThere(), await tasks()]).toEqual([true, ['vt_2', 'vt_1']])
  await deliver()
  await clean()
  expect([await isThere(), await tasks()]).toEqual([false, []])
})

test('an endpoint of a closed account that is paused is deleted with what waits; another account keeps its own', async () => {
  const other = await parts.createEndpoint(`${accountId}_other`, 'https://hooks.example.com/a')
  await parts.receive([ended('vt_1'), closed()])
  await parts.sql`update endpoint set paused_at = now(), paused_reason = 'gone' where id = ${endpointId}`
  await clean()
  expect([await isThere(), await tasks()]).toEqual([false, []])
  expect(await findEndpoint(parts.sql, `${accountId}_other`, other.endpoint.id)).toBeDefined()
})

test('the callbacks of a closed account go with its endpoints', async () => {
  const callback = { taskId: `vt_${crypto.randomUUID()}`, url: 'https://hooks.example.com/b', secret: null, keptDays: 7 }
  await insertCallback(parts.sql, { ...callback, accountId, endpointId: `whe_${crypto.randomUUID()}` })
  await parts.receive([closed()])
  await clean()
  await parts.sql`update endpoint set deleted_at = now() - interval '2 minutes' where account_id = ${accountId}`
  await clean()
  expect(await parts.sql`select id from endpoint where account_id = ${accountId}`).toHaveLength(0)
  expect(await parts.sql`select task_id from callback where task_id = ${callback.taskId}`).toHaveLength(0)
})
