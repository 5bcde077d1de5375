import { expect, test } from 'bun:test'
import { isLast, taskEvents } from './task-events'

const at = new Date('2026-11-22T09:30:00Z')
const rows = (...details: Record<string, unknown>[]) => details.map(each => ({ at, details: each }))
const told = (...details: Record<string, unknown>[]) => taskEvents(rows(...details)).map(({ id, at, ...event }) => event)

const reserved = { billingStatus: 'reserved', creditsUsed: 40 }
const accepted = { phase: 'accepted', attemptNumber: 1, heldAfter: '2026-11-22T10:30:00Z' }
const runs = (more: object) => ({ phase: 'accepted', ...more })
const copying = { phase: 'copying' }
const completed = { phase: 'completed', videoUrl: 'https://v' }
const settled = { billingStatus: 'settled' }
const failed = { phase: 'failed', errorCode: 'generation_failed', errorMessage: 'words' }
const pending = { billingStatus: 'refund_pending' }
const refunded = { billingStatus: 'refunded', creditsRefunded: 40 }

test('a generation from its queue to its video', () => {
  const events = taskEvents(
    rows(reserved, {}, accepted, runs({ queuePosition: 3 }), runs({ percent: 10 }), runs({ percent: 60 }), copying, completed, settled),
  )
  expect(events).toEqual(
    [
      { type: 'queued' as const, credits_used: 40 },
      { type: 'accepted' as const },
      { type: 'running' as const, position: 3 },
      { type: 'running' as const, percent: 10 },
      { type: 'running' as const, percent: 60 },
      { type: 'copying' as const },
      { type: 'completed' as const, credits_used: 40, credits_refunded: 0, video_url: 'https://v' },
    ].map((event, index) => ({ id: String(index + 1), at: at.toISOString(), ...event })),
  )
  expect(events.map(isLast)).toEqual([false, false, false, false, false, false, true])
})

test('failed is told once the refund is under way, and refunded once it is done; both at once where both are known at once', () => {
  const end = [
    { type: 'failed', error: { code: 'generation_failed', message: 'words' } },
    { type: 'refunded', credits_refunded: 40 },
  ]
  for (const order of [
    [failed, pending, refunded],
    [pending, failed, refunded],
    [pending, refunded, failed],
    [failed, refunded],
  ])
    expect(told(reserved, accepted, ...order).slice(2) as object[]).toEqual(end)
  expect(told(reserved, { phase: 'refused', errorCode: 'media_corrupt' }, pending) as object[]).toEqual([
    { type: 'queued', credits_used: 40 },
    { type: 'failed', error: { code: 'media_corrupt', message: '' } },
  ])
})

test('a video is completed only once it is paid, and says what came back', () => {
  expect(told(reserved, accepted, copying, completed).at(-1)).toEqual({ type: 'copying' })
  expect(told(reserved, accepted, { ...settled, creditsRefunded: 16 }, completed).at(-1)).toEqual({
    type: 'completed',
    credits_used: 40,
    credits_refunded: 16,
    video_url: 'https://v',
  })
})

test('a review is told once, and what comes after it', () => {
  const review = { billingStatus: 'review' }
  expect(told(reserved, { phase: 'uncertain' }, review, review, accepted, copying, completed, settled).map(({ type }) => type)).toEqual([
    ...(['queued', 'in_review', 'accepted', 'copying', 'completed'] as const),
  ])
})

test('what comes again, too late or counts back is told once, or never', () => {
  expect(
    told(
      ...[
        accepted,
        reserved,
        reserved,
        accepted,
        runs({ percent: 50 }),
        runs({ percent: 20 }),
        runs({ percent: 30 }),
        runs({ queuePosition: 4 }),
      ],
      ...[copying, runs({ percent: 99 }), { ...accepted, waitingFor: 'status' }, completed, settled, settled, copying],
    ).map(({ type, percent }) => (percent === undefined ? type : `${type} ${percent}`)),
  ).toEqual(['accepted', 'running 50', 'copying', 'completed'])
})

test('rows only add events at the end, in whatever order they are merged', () => {
  const all = [reserved, accepted, runs({ percent: 10 }), runs({ percent: 30 }), copying, pending, failed, refunded, completed, settled]
  for (let seed = 0; seed < 300; seed++) {
    const shuffled = all.toSorted((a, b) => Bun.hash.crc32(`${seed}${JSON.stringify(a)}`) - Bun.hash.crc32(`${seed}${JSON.stringify(b)}`))
    const whole = taskEvents(rows(...shuffled))
    for (let length = 0; length < shuffled.length; length++) {
      const part = taskEvents(rows(...shuffled.slice(0, length)))
      expect(whole.slice(0, part.length)).toEqual(part)
    }
  }
})
