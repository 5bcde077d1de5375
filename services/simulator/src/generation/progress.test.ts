import { afterAll, beforeAll, expect, test } from 'bun:test'
import { startTestSimulator, testRequest } from '../testing/simulator'

let simulator: Awaited<ReturnType<typeof startTestSimulator>>
beforeAll(async () => {
  simulator = await startTestSimulator()
})
afterAll(() => simulator.stop())

test('fails_after_accept and moderated: a definite verdict after acceptance', async () => {
  for (const [name, code] of [
    ['fails_after_accept', 'generation_failed'],
    ['moderated', 'output_moderated'],
  ] as const) {
    const request = testRequest()
    await simulator.behave(request, [{ name, delay_ms: 30 }])
    const { body } = await simulator.submit(request)
    expect((await simulator.until(body.id, 'failed')).error?.code).toBe(code)
  }
})

test('never_finishes: running until it is released, then rendered', async () => {
  const request = testRequest()
  await simulator.behave(request, [{ name: 'never_finishes' }])
  const { body } = await simulator.submit(request)
  await simulator.until(body.id, 'running')
  expect((await simulator.post(`/admin/generations/${body.id}/release`, {})).status).toBe(202)
  await simulator.until(body.id, 'succeeded')
})

test('slow: running for as long as it was told, then rendered', async () => {
  const request = testRequest()
  await simulator.behave(request, [{ name: 'slow', delay_ms: 300 }])
  const { body } = await simulator.submit(request)
  const done = await simulator.until(body.id, 'succeeded')
  expect(Date.parse(done.updated_at) - Date.parse(done.created_at)).toBeGreaterThanOrEqual(300)
})

test('an input that can’t be fetched fails the generation', async () => {
  const { body } = await simulator.submit(testRequest({ mode: 'image-to-video', first_frame_url: `${simulator.origin}/nothing.png` }))
  expect((await simulator.until(body.id, 'failed')).error?.code).toBe('input_unreachable')
})

test('a finished generation calls back; a refused callback is tried again', async () => {
  const calls: unknown[] = []
  const listener = Bun.serve({
    port: 0,
    async fetch(request) {
      calls.push(await request.json())
      return new Response(null, { status: calls.length === 1 ? 500 : 204 })
    },
  })
  const request = testRequest({ callback_url: `http://127.0.0.1:${listener.port}/hooks/simulator/token` })
  await simulator.behave(request, [{ name: 'instant' }])
  const { body } = await simulator.submit(request)
  while (calls.length < 2) await Bun.sleep(20)
  const { output_url, ...rest } = await simulator.read(body.id)
  expect(output_url).toBeDefined()
  expect(calls[1]).toEqual(rest)
  await listener.stop()
})

test('no_callback: the caller is never called', async () => {
  const calls: string[] = []
  const listener = Bun.serve({
    port: 0,
    fetch(request) {
      calls.push(new URL(request.url).pathname)
      return new Response(null, { status: 204 })
    },
  })
  const silent = testRequest({ callback_url: `http://127.0.0.1:${listener.port}/silent` })
  await simulator.behave(silent, [{ name: 'no_callback' }, { name: 'instant' }])
  await simulator.submit(silent)
  const speaking = testRequest({ callback_url: `http://127.0.0.1:${listener.port}/speaking` })
  await simulator.behave(speaking, [{ name: 'instant' }])
  await simulator.submit(speaking)
  while (calls.length === 0) await Bun.sleep(20)
  expect(calls).toEqual(['/speaking'])
  await listener.stop()
})
