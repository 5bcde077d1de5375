import { afterAll, beforeAll, expect, test } from 'bun:test'
import { startTestSimulator, testRequest } from '../testing/simulator'

let simulator: Awaited<ReturnType<typeof startTestSimulator>>
beforeAll(async () => {
  simulator = await startTestSimulator()
})
afterAll(() => simulator.stop())

test('several are read at once, in the order asked; unknown ids are left out', async () => {
  const requests = [testRequest(), testRequest()]
  for (const request of requests) await simulator.behave(request, [{ name: 'never_finishes' }])
  const [first = '', second = ''] = await Promise.all(requests.map(async request => (await simulator.submit(request)).body.id))
  const { body } = await simulator.json(`/v1/generations?ids=${second},sim_unknown,${first}`)
  expect(body.data.map(({ id }: { id: string }) => id)).toEqual([second, first])
  expect((await simulator.json('/v1/generations')).status).toBe(400)
  expect((await simulator.json(`/v1/generations?ids=${Array(101).fill('x').join()}`)).status).toBe(400)
})

test('lookup_lags: invisible to look-up for a while, then there', async () => {
  const request = testRequest()
  await simulator.behave(request, [{ name: 'lookup_lags', delay_ms: 1_500 }, { name: 'never_finishes' }])
  await simulator.submit(request)
  expect((await simulator.lookUp(request.client_task_id)).body.data).toEqual([])
  while ((await simulator.lookUp(request.client_task_id)).body.data.length === 0) await Bun.sleep(20)
})

test('lookup_500: so many broken look-ups, then an answer', async () => {
  const request = testRequest()
  await simulator.behave(request, [{ name: 'lookup_500', times: 2 }, { name: 'never_finishes' }])
  await simulator.submit(request)
  const statuses = [
    await simulator.lookUp(request.client_task_id),
    await simulator.lookUp(request.client_task_id),
    await simulator.lookUp(request.client_task_id),
  ]
  expect(statuses.map(({ status }) => status)).toEqual([500, 500, 200])
})

test('read_500 and unknown_status: so many useless polls, then an answer', async () => {
  const broken = testRequest()
  await simulator.behave(broken, [{ name: 'read_500', times: 1 }, { name: 'never_finishes' }])
  const { body } = await simulator.submit(broken)
  expect((await simulator.json(`/v1/generations/${body.id}`)).status).toBe(500)
  expect((await simulator.read(body.id)).status).toBe('running')

  const unknown = testRequest()
  await simulator.behave(unknown, [{ name: 'unknown_status', times: 1 }, { name: 'never_finishes' }])
  const told = await simulator.submit(unknown)
  expect((await simulator.read(told.body.id)).status).toBe('warming_up')
  expect((await simulator.read(told.body.id)).status).toBe('running')
})

test('tells_progress: places in the queue, then percent, in the formats that have them', async () => {
  const request = testRequest()
  await simulator.behave(request, [{ name: 'tells_progress', places: 2, step: 60 }, { name: 'never_finishes' }])
  const { body } = await simulator.submit(request)
  const seen = []
  for (let read = 0; read < 5; read++) seen.push(await simulator.read(body.id))
  expect(seen.map(({ status, queue_position, progress }) => [status, queue_position, progress])).toEqual([
    ['queued', 2, undefined],
    ['queued', 1, undefined],
    ['running', undefined, 0],
    ['running', undefined, 60],
    ['running', undefined, 99],
  ])
})

test('completed_then_processing: done, not done, done', async () => {
  const request = testRequest()
  await simulator.behave(request, [{ name: 'completed_then_processing' }, { name: 'instant' }])
  const { body } = await simulator.submit(request)
  const seen = [await simulator.read(body.id), await simulator.read(body.id), await simulator.read(body.id)]
  expect(seen.map(({ status, output_url }) => [status, output_url !== undefined])).toEqual([
    ['succeeded', true],
    ['running', false],
    ['succeeded', true],
  ])
})
