import { expect, test } from 'bun:test'
import type { Outcomes } from '@filmgate/proto/operator/provider'
import type { Call, Json } from '../operator-api'
import { render } from '../print/show'
import { outcomesTable, providerAttempts, providerOutcomes } from './outcomes'

const answering = (answer: Json, asked: string[]): Call => {
  return async (_service, _method, path) => {
    asked.push(path)
    return answer
  }
}
const queryOf = (path = '') => Object.fromEntries(new URLSearchParams(path.split('?')[1]))

test('outcomes are those of the day before the end, unless it is said since when', async () => {
  const asked: string[] = []
  const call = answering({ data: [], holds: [] }, asked)
  await providerOutcomes(call, { to: '2026-11-03T00:00:00.000Z' })
  await providerOutcomes(call, { from: '2026-11-01T00:00:00.000Z', to: '2026-11-03T00:00:00.000Z' })
  await providerAttempts(answering({ data: [] }, asked), {
    to: '2026-11-03T00:00:00.000Z',
    provider: 'none',
    state: 'open',
    cursor: 'at_1',
  })
  const ofDay = { from: '2026-11-02T00:00:00.000Z', to: '2026-11-03T00:00:00.000Z' }
  expect(asked.map(queryOf)).toEqual([
    ofDay,
    { ...ofDay, from: '2026-11-01T00:00:00.000Z' },
    { ...ofDay, provider: 'none', state: 'open', cursor: 'at_1' },
  ])
})

test('a person reads a row for each model at a provider, with its failures by code', () => {
  const outcomes: Outcomes = {
    data: [
      {
        ...{ provider: null, model: 'm', attempts: 3, open: 0, completed: 0, seconds_p50: null, seconds_p95: null },
        failures: [
          { state: 'refused', code: 'generation_unavailable', attempts: 2 },
          { state: 'failed', code: null, attempts: 1 },
        ],
      },
    ],
    holds: [],
  }
  const text = render(outcomesTable(outcomes) as Json)
  expect(text).toMatch(/none +m +3 +0 +0 .*2 generation_unavailable, 1 failed/)
})
