import { expect, test } from 'bun:test'
import { generating, queued } from './running'

test('what is no place in a queue and no percentage is not taken up', () => {
  expect(queued(3)).toEqual({ status: 'running', progress: { phase: 'queued', queuePosition: 3 } })
  expect(generating(39.9)).toEqual({ status: 'running', progress: { phase: 'generating', percent: 39 } })
  for (const odd of [undefined, null, '3', -1, Number.NaN, Number.POSITIVE_INFINITY, 1e9, {}]) {
    expect(queued(odd)).toEqual({ status: 'running', progress: { phase: 'queued' } })
    expect(generating(odd)).toEqual({ status: 'running', progress: { phase: 'generating' } })
  }
})
