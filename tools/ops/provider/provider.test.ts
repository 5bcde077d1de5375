import { expect, test } from 'bun:test'
import type { Hold, Provider } from '@filmgate/proto/operator/provider'
import type { Call, Json } from '../operator-api'
import { render } from '../print/show'
import { listedProviders, providerPause, providerResume, providerShow, shownProvider } from './provider'

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

const models = [{ model: 'alpha-h3', lacks: ['duration 4'] }]
const fal: Provider = { provider: 'fal', on: true, key: 'accepted', models, holds: [paused, unanswered] }
const holdLines = [
  'paused for alpha-h3 since 2026-11-26T08:00:00.000Z by ada: its bad hour',
  'unanswered for all models since 2026-11-26T09:00:00.000Z: 5 submits without a certain answer; tried 2 times, next try from 2026-11-26T09:00:30.000Z',
]

test('a person reads a row for each provider that is on, and a line for each hold: cause, model, since, by whom, why, and the next try', () => {
  const list: Provider[] = [fal, { provider: 'vidu', on: true, key: 'refused', holds: [] }, { provider: 'kling', on: false }]
  expect(render(listedProviders(list) as Json)).toBe(
    [
      ...['providers', '  provider  key       holds', '  fal       accepted  2', '  vidu      refused   0', ''],
      ...['off', '  kling', '', 'holds', ...holdLines.map(line => `  fal: ${line}`)],
    ].join('\n'),
  )
})

test('of one provider a person reads also its models, after its holds', () => {
  expect(render(shownProvider(fal) as Json)).toBe(
    [
      ...['provider  fal', 'on        true', 'key       accepted', '', 'holds', ...holdLines.map(line => `  ${line}`)],
      ...['', 'models', '  model     lacks', '  alpha-h3  duration 4'],
    ].join('\n'),
  )
})

test('a provider that is none of the routes is named with those that are', async () => {
  const call: Call = async () => ({ data: [fal] as unknown as Json })
  await expect(providerShow(call, 'fai')).rejects.toThrow('There is no provider fai; there are fal.')
})
