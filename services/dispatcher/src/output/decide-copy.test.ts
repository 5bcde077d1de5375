import { expect, test } from 'bun:test'
import { WaitingFor } from '@filmgate/proto/gen/filmgate/v1/generations_pb'
import type { CopyFault } from './copy-fault'
import { type CopyPayload, type DecideCopyDeps, decideCopy, holdUnended } from './decide-copy'

const minute = 60_000
const startMs = Date.parse('2026-11-22T00:00:00Z')
let nowMs = startMs
const deps: DecideCopyDeps = {
  now: () => new Date(nowMs),
  outputRetryFirstMs: 5_000,
  outputRetryMsMax: 15 * minute,
  outputRetryForMs: 360 * minute,
  outputReviewAfterMs: 15 * minute,
  outputReviewRetryMs: 60 * minute,
  outputRereadMs: 10 * minute,
  outputGoneSightingsMin: 5,
  outputGoneMs: 60 * minute,
}
const attempt = {
  ...{
    id: 'at_1',
    taskId: 'vt_1',
    accountId: 'acc_1',
    number: 1,
    provider: 'a',
    providerModel: 'm',
    model: 'm',
    state: 'copying' as const,
  },
  ...{
    providerTaskId: 'x',
    echoed: true,
    generationMsMax: 60 * minute,
    traceparent: null,
    outputKey: 'key',
    inReview: false,
    orderTerms: null,
  },
}
const page = (sha256: string): CopyFault => ({ kind: 'not_video', words: 'the output is no MP4', sha256 })

type Tried = { fault: CopyFault; fresh?: boolean; egressIsWell?: boolean }
let payload: CopyPayload
let reviewedMs: number | undefined

/** What becomes of a copy that fails like this, try after try; each next one starts when it is due. */
function follow(faults: Tried[]) {
  nowMs = startMs
  payload = { url: 'https://cdn.example/', faults: 0 }
  reviewedMs = undefined
  let inReview = false
  return faults.map(({ fault, fresh = true, egressIsWell = false }) => {
    const job = { kind: 'recopy', id: 'at_1', fairnessKey: '', payload, epoch: 1, tries: 1 }
    const transition = decideCopy(deps, {
      attempt: { ...attempt, copyingMsAgo: nowMs - startMs, inReview },
      job,
      fault,
      fresh,
      egressIsWell,
    })
    if (transition.after.next !== 'again') return transition.to
    payload = transition.after.payload as CopyPayload
    if (transition.columns?.heldForReview) reviewedMs = nowMs
    nowMs += transition.after.afterMs
    inReview ||= transition.columns?.heldForReview === true
    return transition.columns?.heldForReview ? 'review' : 'again'
  })
}
const times = (count: number, fault: CopyFault, fresh = true) => Array.from({ length: count }, () => ({ fault, fresh }))
const unfetched: CopyFault = { kind: 'unfetched', words: 'unresolvable' }
const gone: CopyFault = { kind: 'gone', words: 'answered 404' }

test.each<CopyFault>([
  unfetched,
  { ...unfetched, kind: 'own_fault' },
  { ...unfetched, kind: 'acl_refused' },
  { ...unfetched, kind: 'forbidden' },
])('what may be our own doing is never the provider’s failure: hours of tries, one review, and tries on: %j', fault => {
  const steps = follow(times(200, fault))
  expect(steps.filter(step => step === 'failed')).toEqual([])
  const reviewed = steps.indexOf('review')
  expect({ reviewed: steps.filter(step => step === 'review').length, last: steps.at(-1) }).toEqual({ reviewed: 1, last: 'again' })
  expect(reviewed).toBeWithin(25, 45)
})

test('one page read twice is no video; another page each time may be a proxy’s', () => {
  expect(follow([{ fault: page('a') }, { fault: page('a') }])).toEqual(['again', 'failed'])
  expect(follow([{ fault: page('a') }, { fault: page('b') }, { fault: page('a') }])).toEqual(['again', 'again', 'again'])
  expect(follow([{ fault: page('a') }, { fault: unfetched }, ...times(6, unfetched), { fault: page('a') }]).at(-1)).toBe('failed')
})

test('the reading that proves comes ten minutes after the first, so that one bad minute of a cache is no proof', () => {
  follow([{ fault: page('a') }])
  expect(nowMs - startMs).toBeGreaterThanOrEqual(10 * minute)
})

const refused: CopyFault = { kind: 'refused', words: 'answered 403' }

test.each<CopyFault>([refused, gone, page('a')])(
  'a host that answers without a video: its provider is asked at once, then less and less: %j',
  fault => {
    follow([{ fault, fresh: false }])
    expect(nowMs - startMs).toBe(0)
    follow(times(3, fault, false))
    expect(nowMs - startMs).toBeGreaterThan(0)
  },
)

/** After how many minutes it is held for review; undefined where it isn't. */
function reviewedAfter(fault: CopyFault, egressIsWell: boolean): number | undefined {
  follow(Array.from({ length: 80 }, (_, index) => ({ fault, fresh: index > 0, egressIsWell })))
  return reviewedMs && (reviewedMs - startMs) / minute
}

test('an output whose host answers without it is held for review after 15 minutes while our own way out is well', () => {
  expect([refused, gone].map(fault => reviewedAfter(fault, true))).toEqual([15, 15])
  expect(
    [refused, unfetched, { ...unfetched, kind: 'own_fault' as const }].map(fault => (reviewedAfter(fault, false) ?? 0) >= 360),
  ).toEqual([true, true, true])
  // A name that nobody has, or a time-out, may be our own network’s to one host.
  expect(reviewedAfter(unfetched, true)).toBeGreaterThanOrEqual(360)
})

test('until when it is waited for is told with each failed try, and no more in review', () => {
  const told = (faults: Tried[]) =>
    follow(faults) && payload.waiting && { cause: payload.waiting.cause, minutes: Math.round((payload.waiting.untilMs - startMs) / minute) }
  expect(told(times(1, refused))).toEqual({ cause: 'answered 403', minutes: 15 })
  expect(told(times(3, unfetched))).toEqual({ cause: 'unresolvable', minutes: 360 })
  const reviewed = Array.from({ length: 12 }, () => ({ fault: refused, egressIsWell: true }))
  expect(follow(reviewed)).toContain('review')
  expect(payload.waiting).toBeUndefined()
})

test('an address that leads nowhere is gone after an hour of fresh ones that do; one the provider didn’t renew proves nothing', () => {
  const steps = follow(times(30, gone))
  const end = steps.indexOf('failed')
  expect(end).toBeGreaterThan(5)
  expect(nowMs - startMs).toBeGreaterThanOrEqual(60 * minute)
  expect(follow(times(100, gone, false)).filter(step => step === 'failed')).toEqual([])
})

/** A try at this moment, which an operator or a killed process may have brought forward, with what earlier ones left. */
function tryAgain(fault: CopyFault, { minutesOn, ...left }: { minutesOn: number } & Partial<CopyPayload>) {
  nowMs = startMs + minutesOn * minute
  const job = {
    kind: 'recopy',
    id: 'at_1',
    fairnessKey: '',
    payload: { url: 'https://cdn.example/', faults: 1, ...left },
    epoch: 1,
    tries: 1,
  }
  return decideCopy(deps, { attempt: { ...attempt, copyingMsAgo: nowMs - startMs }, job, fault, fresh: true, egressIsWell: true }).to
}

test('one look proves nothing, and neither does a second one that is brought forward', () => {
  expect([tryAgain(page('a'), { minutesOn: 0 }), tryAgain(gone, { minutesOn: 300 })]).toEqual([undefined, undefined])
  const notVideo = { sha256: 'a', firstMs: startMs }
  expect([9, 10].map(minutesOn => tryAgain(page('a'), { minutesOn, notVideo }))).toEqual([undefined, 'failed'])
})

test('an address is gone only when it was seen to be so five times and over an hour, not one of the two', () => {
  const ends = [
    { minutesOn: 300, count: 3 },
    { minutesOn: 59, count: 40 },
    { minutesOn: 60, count: 4 },
  ].map(({ minutesOn, count }) => tryAgain(gone, { minutesOn, gone: { count, firstMs: startMs } }))
  expect(ends).toEqual([undefined, undefined, 'failed'])
})

test.each<CopyFault>([
  { kind: 'too_large', words: 'more than 1073741824 bytes' },
  { kind: 'unread', words: 'the MP4 was not read within 10000 ms' },
])('what is past a bound of ours goes to its operator after two tries: %j', fault => {
  expect(follow(times(3, fault))).toEqual(['again', 'review', 'again'])
})

const unended = (changes: { copyingMsAgo?: number; inReview?: boolean; kind?: string; tries?: number; faults?: number }) => {
  const { copyingMsAgo = 361 * minute, inReview = false, kind = 'recopy', tries = 6, faults = 3 } = changes
  const job = { kind, id: 'at_1', fairnessKey: '', payload: { url: 'https://cdn.example/', faults }, epoch: 1, tries }
  return holdUnended(deps, { ...attempt, copyingMsAgo, inReview }, job)
}

test('a copy whose tries end with their process comes to review past its bound, once, and is tried on at once', () => {
  expect(unended({})).toMatchObject({ columns: { heldForReview: true }, after: { next: 'again', afterMs: 0 } })
  expect(unended({ kind: 'copy', tries: 4, faults: 0 })).toMatchObject({ columns: { heldForReview: true }, after: { next: 'hand-over' } })
  expect([unended({ copyingMsAgo: 359 * minute }), unended({ inReview: true })]).toEqual([undefined, undefined])
})

test('tries that came to a decision, and a restart or two, hold nothing back', () => {
  expect(unended({ tries: 40, faults: 38 })).toBeUndefined()
  expect(unended({ tries: 1, faults: 1 })).toBeUndefined()
  expect(unended({ kind: 'copy', tries: 3, faults: 0 })).toBeUndefined()
})

test('its client is told from the second try on that the file is missing, and anew only where the time changes', () => {
  nowMs = startMs
  payload = { url: 'https://cdn.example/', faults: 0 }
  const told = [unfetched, gone, gone, gone, unfetched].map(fault => {
    const job = { kind: 'recopy', id: 'at_1', fairnessKey: '', payload, epoch: 1, tries: 1 }
    const transition = decideCopy(deps, {
      ...{ attempt: { ...attempt, copyingMsAgo: nowMs - startMs }, job, fault, fresh: false, egressIsWell: true },
    })
    payload = (transition.after as { payload: CopyPayload }).payload
    nowMs += 10_000
    return transition.events?.map(({ value }) => {
      const { waitingFor, heldAfter } = value as { waitingFor: WaitingFor; heldAfter: { seconds: bigint } }
      return [waitingFor, Number(heldAfter.seconds) - startMs / 1_000]
    })
  })
  expect(told).toEqual([[], [[WaitingFor.FILE, 900]], [], [], [[WaitingFor.FILE, 21_600]]])
})
