import { expect, test } from 'bun:test'
import { create } from '@bufbuild/protobuf'
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
  credits({ case: 'reviewOpened', value: { taskId: 't' } }),
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
    creditsUsed: 40,
    creditsRefunded: null,
    videoUrl: 'https://v',
    posterUrl: null,
    errorCode: null,
    errorMessage: null,
    errorDetails: null,
    at,
  }
  for (let seed = 0; seed < 200; seed++) {
    const shuffled = events.toSorted((a, b) => Bun.hash.crc32(`${seed}${a.case}`) - Bun.hash.crc32(`${seed}${b.case}`))
    expect(fold(shuffled)).toEqual(expected)
  }
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
