import { expect, test } from 'bun:test'
import type { Hold, Provider } from '@filmgate/proto/operator/provider'
import type { Call, Json } from '../operator-api'
import { render } from '../print/show'
import { providerPause, providerResume } from './hold'
import { listedProviders } from './list'

const paused: Hold = {
  ...{ provider: 'fal', model: 'alpha-h3', cause: 'paused', reason: 'its bad hour', by: 'ada', started_at: '2026-11-26T08:00:00.000Z' },
  ...{ probe_at: null, probes: 0 },
}
const unanswered: Hold = {
  ...{ provider: 'fal', model: null, cause: 'unanswered', reason: '5 submits without a certain answer', by: null },
  ...{ started_at: '2026-11-26T09:00:00.000Z', probe_at: '2026-11-26T09:00:30.000Z', probes: 2 },
}

test('a pause and a resume name the provider in the path and the model, if any, in the body', async () => {
  const asked: unknown[][] = []
  const answering = (answer: Json): Call => {
    return async (...request) => {
      asked.push(request)
      return answer
    }
  }
  const change = { provider: 'a b', reason: 'its bad hour' }
  expect(await providerPause(answering(paused), { ...change, model: 'alpha-h3' })).toEqual(paused)
  expect(await providerResume(answering({ data: [unanswered] }), change)).toEqual([unanswered])
  expect(asked).toEqual([
    ['dispatcher', 'POST', '/providers/a%20b/pause', { reason: 'its bad hour', model: 'alpha-h3' }],
    ['dispatcher', 'POST', '/providers/a%20b/resume', { reason: 'its bad hour' }],
  ])
})

test('a person reads a line for each hold: cause, model, since, by whom, why, and the next try', () => {
  const models = [{ model: 'alpha-h3', lacks: [] }]
  const list: Provider[] = [
    { provider: 'fal', on: true, models, holds: [paused, unanswered] },
    { provider: 'vidu', on: true, holds: [] },
    { provider: 'kling', on: false },
  ]
  expect(render(listedProviders(list) as Json)).toBe(
    [
      ...['provider  fal', 'on        true', '', 'holds'],
      '  paused for alpha-h3 since 2026-11-26T08:00:00.000Z by ada: its bad hour',
      '  unanswered for all models since 2026-11-26T09:00:00.000Z: 5 submits without a certain answer; tried 2 times, next try from 2026-11-26T09:00:30.000Z',
      ...['', 'models', '  model     lacks', '  alpha-h3', ''],
      ...['provider  vidu', 'on        true', '', 'holds', '  (none)', '', 'provider  kling', 'on        false'],
    ].join('\n'),
  )
})
