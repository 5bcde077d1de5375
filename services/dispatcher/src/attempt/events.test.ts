import { expect, test } from 'bun:test'
import { timestampDate } from '@bufbuild/protobuf/wkt'
import { completed, uncertain } from './events'

const attempt = { id: 'at_1', taskId: 'vt_1', accountId: 'acc_1', number: 1, traceparent: null, generationMsMax: 120_000 }
const at = new Date('2026-11-25T12:00:00.000Z')

test.each([
  ['its submit may have been taken now', at, '2026-11-25T12:02:00.000Z'],
  ['it was accepted five minutes ago', new Date('2026-11-25T11:55:00.000Z'), '2026-11-25T11:57:00.000Z'],
  ['it has ended at its provider', null, '2026-11-25T12:00:00.000Z'],
])('an uncertain generation says until when it may run: %s', (_, takenBy, until) => {
  const event = uncertain(attempt, at, { cause: 'lost', takenBy })
  if (event.case !== 'generationUncertain') throw new Error(event.case)
  const { mayRunUntil } = event.value as { mayRunUntil: Parameters<typeof timestampDate>[0] }
  expect(timestampDate(mayRunUntil).toISOString()).toBe(until)
})

test('a completion names its provider', () => {
  const output = { videoUrl: 'v', bytes: 1, sha256: 's', poster: undefined, posterUrl: 'p', delivery: null, dueCredits: null }
  expect(completed({ ...attempt, provider: 'fal' }, at, output).value).toMatchObject({ taskId: 'vt_1', provider: 'fal' })
})
