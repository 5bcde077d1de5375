import { afterAll, expect, test } from 'bun:test'
import { startTestSimulator, testRequest } from '../testing/simulator'

const simulator = await startTestSimulator()
afterAll(simulator.stop)

test('submits are found by their whole prompt, or by a part that others may have too', async () => {
  const run = crypto.randomUUID()
  for (const number of [2, 20, 21]) await simulator.submit(testRequest({ prompt: `${run}, video ${number}` }))
  const found = async (query: Record<string, string>) => (await simulator.json(`/admin/submits?${new URLSearchParams(query)}`)).body.count
  expect([await found({ prompt: `${run}, video 2` }), await found({ prompt: run })]).toEqual([1, 0])
  expect([await found({ prompt_includes: `${run}, video 2` }), await found({ prompt_includes: run })]).toEqual([3, 3])
})
