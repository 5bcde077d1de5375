import { afterAll, beforeAll, expect, test } from 'bun:test'
import { startTestSimulator, testRequest } from '../testing/simulator'

let simulator: Awaited<ReturnType<typeof startTestSimulator>>
beforeAll(async () => {
  simulator = await startTestSimulator()
})
afterAll(() => simulator.stop())

const show = async (view: object) => (await simulator.json('/admin/view', { method: 'PUT', body: JSON.stringify(view) })).status

/** By its own id alone, among several, and by the caller's. */
async function seen({ id, client_task_id }: { id: string; client_task_id: string }) {
  const [one, many, lookedUp] = await Promise.all([
    simulator.json(`/v1/generations/${id}`),
    simulator.json(`/v1/generations?ids=${id}`),
    simulator.lookUp(client_task_id),
  ])
  return [one.status, many.body.data.length, lookedUp.body.data.length]
}

async function accepted(...behaviours: Parameters<typeof simulator.behave>[1]) {
  const request = testRequest()
  await simulator.behave(request, [{ name: 'never_finishes' }, ...behaviours])
  const { body } = await simulator.submit(request)
  return { id: body.id, client_task_id: request.client_task_id }
}

test('the view nothing: empty to every read and look-up, and submits are taken as ever', async () => {
  const before = await accepted()
  expect(await show({ shows: 'nothing' })).toBe(200)
  const during = await accepted()
  expect([await seen(before), await seen(during)]).toEqual([
    [404, 0, 0],
    [404, 0, 0],
  ])
  expect(await show({ shows: 'all' })).toBe(200)
  expect([await seen(before), await seen(during)]).toEqual([
    [200, 1, 1],
    [200, 1, 1],
  ])
})

test('the view older: what was accepted before it stood still, and not what came after', async () => {
  const before = await accepted()
  await Bun.sleep(5)
  await show({ shows: 'older', lag_ms: 0 })
  const after = await accepted()
  expect([await seen(before), await seen(after)]).toEqual([
    [200, 1, 1],
    [404, 0, 0],
  ])
  await show({ shows: 'all' })
})

test('vanishes: one that was there is unknown by either id', async () => {
  expect(await seen(await accepted({ name: 'vanishes', delay_ms: 60_000 }))).toEqual([200, 1, 1])
  expect(await seen(await accepted({ name: 'vanishes', delay_ms: 0 }))).toEqual([404, 0, 0])
})

test('a view of another form is refused', async () => {
  for (const view of [{ shows: 'some' }, { shows: 'older' }, { shows: 'all', lag_ms: 1 }, {}]) expect(await show(view)).toBe(400)
})
