import { expect, test } from 'bun:test'
import { WaitingFor } from '@filmgate/proto/gen/filmgate/v1/generations_pb'
import type { Due, DueAttempt } from '../attempt/attempt'
import type { PollAnswer } from '../providers/connector'
import { type DecideDeps, decidePoll } from './decide'

const minute = 60_000
const deps = { now: () => new Date(0), generationTimeoutMs: 120 * minute, overduePollMs: minute, outputReviewAfterMs: 15 * minute }
const fresh = {
  ...{ id: 'at_1', taskId: 'vt_1', state: 'accepted', generationMsMax: 60 * minute },
  ...{ acceptedMsAgo: 20 * minute, absenceFirstMsAgo: null, unclearMsAgo: null },
}

function decide(own: Partial<DueAttempt>, answer: Extract<PollAnswer, { status: 'running' | 'failed' }> | undefined) {
  const due = { attempt: { ...fresh, ...own }, job: { kind: 'attempt', id: 'at_1' }, connector: {} } as unknown as Due
  const transition = decidePoll(deps as unknown as DecideDeps, due, answer)
  return (
    transition && { to: transition.to, unclear: transition.columns?.unclear, cause: transition.columns?.cause, next: transition.after.next }
  )
}
const running: PollAnswer = { status: 'running' }
const cancelled: PollAnswer = { status: 'running', unknownWord: 'CANCELLED' }
const asPlanned = { to: undefined, cause: undefined, next: 'as-planned' as const }

test('what a provider says that we don’t understand is noted once, and taken back when it says what we do', () => {
  expect(decide({}, cancelled)).toEqual({ ...asPlanned, unclear: 'seen' })
  expect(decide({ unclearMsAgo: minute }, cancelled)).toBeUndefined()
  expect(decide({ unclearMsAgo: minute }, running)).toEqual({ ...asPlanned, unclear: 'cleared' })
  expect([decide({}, running), decide({ unclearMsAgo: 16 * minute }, undefined)]).toEqual([undefined, undefined])
})

test('its client is told what is waited for and until when, and that it is no longer', () => {
  const told = (own: Partial<DueAttempt>, answer: PollAnswer) => {
    const due = { attempt: { ...fresh, ...own }, job: { kind: 'attempt', id: 'at_1' }, connector: {} } as unknown as Due
    const events = decidePoll(deps as unknown as DecideDeps, due, answer as never)?.events ?? []
    return events.map(({ value }) => {
      const { waitingFor, heldAfter } = value as { waitingFor: WaitingFor; heldAfter: { seconds: bigint } }
      return [waitingFor, Number(heldAfter.seconds) / 60]
    })
  }
  expect(told({}, cancelled)).toEqual([[WaitingFor.STATUS, 15]])
  // Never later than the time that the whole generation has.
  expect(told({ acceptedMsAgo: 115 * minute }, cancelled)).toEqual([[WaitingFor.STATUS, 5]])
  expect(told({ unclearMsAgo: minute }, cancelled)).toEqual([])
  expect(told({ unclearMsAgo: minute }, running)).toEqual([[WaitingFor.UNSPECIFIED, 100]])
  expect(told({ state: 'overdue' }, cancelled)).toEqual([])
})

test('said for 15 minutes it is held for review, and is no verdict', () => {
  expect(decide({ unclearMsAgo: 15 * minute - 1 }, cancelled)).toBeUndefined()
  const cause = 'its provider says “CANCELLED”, which is neither a video nor an end'
  expect(decide({ unclearMsAgo: 15 * minute }, cancelled)).toEqual({ to: 'overdue', unclear: undefined, cause, next: 'again' })
  expect(decide({ state: 'overdue', unclearMsAgo: 60 * minute }, cancelled)).toBeUndefined()
})

test('a word that is a verdict ends it at once', () => {
  expect(decide({ unclearMsAgo: minute }, { status: 'failed', code: 'generation_failed', cause: 'cancelled' })?.to).toBe('failed')
})
