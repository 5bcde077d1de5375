import { expect, test } from 'bun:test'
import { create } from '@bufbuild/protobuf'
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import { CreditsEventSchema, DeclineReason } from '@filmgate/proto/gen/filmgate/v1/credits_pb'
import { GenerationsEventSchema } from '@filmgate/proto/gen/filmgate/v1/generations_pb'
import type { PipelineEvent } from './pipeline-event'
import type { TaskChange } from './projection-repository'
import { changeOf, foldChanges } from './task-change'

const at = new Date(1_000)
const credits = (event: NonNullable<Parameters<typeof create<typeof CreditsEventSchema>>[1]>['event']): PipelineEvent =>
  create(CreditsEventSchema, { event }).event
const generation = (event: NonNullable<Parameters<typeof create<typeof GenerationsEventSchema>>[1]>['event']): PipelineEvent =>
  create(GenerationsEventSchema, { event }).event

const events: PipelineEvent[] = [
  credits({ case: 'creditsReserved', value: { order: { taskId: 't', credits: 40n } } }),
  generation({ case: 'generationUncertain', value: { taskId: 't' } }),
  credits({ case: 'reviewOpened', value: { taskId: 't', countsUntil: timestampFromMs(9_000) } }),
  generation({ case: 'generationAccepted', value: { taskId: 't' } }),
  generation({ case: 'generationCompleted', value: { taskId: 't', videoUrl: 'https://v' } }),
  credits({ case: 'creditsSettled', value: { taskId: 't', credits: 40n } }),
]

function fold(order: PipelineEvent[]): TaskChange | undefined {
  const changes = order.flatMap(event => changeOf(event, at) ?? [])
  return changes.slice(1).reduce(foldChanges, changes[0] as TaskChange)
}

test('events of one task come to the same in every order', () => {
  const expected = {
    id: 't',
    phase: 'completed',
    phaseRank: 4,
    freesKey: false,
    billingStatus: 'settled',
    billingRank: 4,
    countsUntil: new Date(9_000),
    creditsUsed: 40,
    creditsRefunded: null,
    videoUrl: 'https://v',
    posterUrl: null,
    delivery: null,
    errorCode: null,
    errorMessage: null,
    errorDetails: null,
    cancelRefusal: null,
    at,
  }
  for (let seed = 0; seed < 200; seed++) {
    const shuffled = events.toSorted((a, b) => Bun.hash.crc32(`${seed}${a.case}`) - Bun.hash.crc32(`${seed}${b.case}`))
    expect(fold(shuffled)).toEqual(expected)
  }
})
test('a settlement in part leaves what came back and what was delivered, in every order; one of a version before leaves neither', () => {
  const delivery = {
    durationMs: 3_000n,
    width: 854,
    height: 480,
    frameRate: 24,
    videoCodec: 'h264',
    hasAudio: true,
    shortfalls: ['duration'],
  }
  const completed = generation({ case: 'generationCompleted', value: { taskId: 't', videoUrl: 'https://v', delivery, dueCredits: 24n } })
  const settled = credits({ case: 'creditsSettled', value: { taskId: 't', credits: 24n, refunded: 16n } })
  for (const order of [
    [completed, settled],
    [settled, completed],
  ]) {
    const change = fold(order)
    expect(change).toMatchObject({ phase: 'completed', billingStatus: 'settled', creditsRefunded: 16 })
    expect(JSON.parse(change?.delivery ?? '')).toEqual({
      duration_ms: 3_000,
      width: 854,
      height: 480,
      frame_rate: 24,
      video_codec: 'h264',
      has_audio: true,
      shortfalls: ['duration'],
    })
  }
  expect(fold([...events])).toMatchObject({ creditsRefunded: null, delivery: null })
})
test('a decline carries what was needed and what was there', () => {
  const event = credits({
    case: 'creditsDeclined',
    value: { taskId: 't', reason: DeclineReason.INSUFFICIENT_CREDITS, required: 50n, available: 7n },
  })
  expect(changeOf(event, at)).toMatchObject({
    phase: 'declined',
    errorCode: 'insufficient_credits',
    errorDetails: '{"required_credits":50,"available_credits":7}',
  })
})
test('a balance is not about a task', () => {
  expect(changeOf(credits({ case: 'balanceChanged', value: { accountId: 'a', available: 1n } }), at)).toBeUndefined()
})
