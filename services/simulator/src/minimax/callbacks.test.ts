import { afterAll, beforeAll, expect, test } from 'bun:test'
import { testKey } from '../testing/client'
import { startTestSimulator } from '../testing/simulator'

let simulator: Awaited<ReturnType<typeof startTestSimulator>>
beforeAll(async () => {
  simulator = await startTestSimulator()
})
afterAll(() => simulator.stop())

type Called = { challenge?: string; [field: string]: unknown }

/** Submits a task that calls back; `answer`: what its address says to a call. */
async function called(version: 'v1' | 'v2', answer: (body: Called) => Response, callsMin: number) {
  const bodies: Called[] = []
  const enough = Promise.withResolvers<void>()
  const server = Bun.serve({
    port: 0,
    async fetch(request) {
      const body = (await request.json()) as Called
      bodies.push(body)
      if (bodies.length >= callsMin) enough.resolve()
      return answer(body)
    },
  })
  const words = `words ${crypto.randomUUID()}`
  await simulator.post('/admin/behaviours', { match: { prompt_includes: words }, behaviours: [{ name: 'instant' }] })
  const body =
    version === 'v1'
      ? { model: 'MiniMax-Hailuo-2.3', prompt: words }
      : { model: 'MiniMax-H3', content: [{ type: 'text', text: words }], resolution: '768P', duration: 4, ratio: '16:9' }
  const submitted = await fetch(`${simulator.origin}/minimax/${version}/video_generation`, {
    ...{ method: 'POST', headers: { authorization: `Bearer ${testKey}`, 'content-type': 'application/json' } },
    body: JSON.stringify({ ...body, callback_url: `http://127.0.0.1:${server.port}/hooks/minimax/token` }),
  })
  const { task_id: id } = (await submitted.json()) as { task_id: string }
  await enough.promise
  return { id, bodies, stop: () => server.stop(true) }
}

const back = ({ challenge }: Called) => (challenge === undefined ? new Response(null, { status: 204 }) : Response.json({ challenge }))

test('an address that gives its challenge back is told what a query would say', async () => {
  const ofH3 = await called('v2', back, 2)
  expect(ofH3.bodies).toMatchObject([{ challenge: expect.any(String) }, { task: { id: ofH3.id, status: 'succeeded' } }])
  const ofHailuo = await called('v1', back, 2)
  expect(ofHailuo.bodies).toMatchObject([{ challenge: expect.any(String) }, { task_id: ofHailuo.id, status: 'success' }])
  await Promise.all([ofH3.stop(), ofHailuo.stop()])
})

test('an address that gives no challenge back, or another, is told nothing', async () => {
  for (const answer of [() => new Response(null, { status: 204 }), () => Response.json({ challenge: 'another' })]) {
    const { id, bodies, stop } = await called('v2', answer, 1)
    await simulator.until(id, 'succeeded')
    // A call would come right behind the success that it tells.
    await Bun.sleep(300)
    expect(bodies).toEqual([{ challenge: expect.any(String) }])
    await stop()
  }
})
