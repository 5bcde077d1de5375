import { expect, test } from 'bun:test'
import { readTimeline } from './timeline'

const packets = (times: number[], duration = 1) => times.map(pts => ({ stream_index: 0, pts, duration }))

test('frames that come out of order are laid in order', () => {
  expect(readTimeline(packets([2, 0, 1, 4, 3]), 0.1)).toEqual({ frames: 5, seconds: 0.5, rate: { average: 10, busiest: 5, sparsest: 5 } })
})

test('a rate that varies shows in its seconds, whatever its average', () => {
  const busy = Array.from({ length: 60 }, (_, index) => index)
  const idle = [60, 120, 180]
  expect(readTimeline(packets([...busy, ...idle], 60), 1 / 60)?.rate).toMatchObject({ busiest: 60, sparsest: 1 })
})

test('a last frame without a duration lasts as long as the others', () => {
  expect(readTimeline(packets([0, 10, 20], 0), 0.1)?.seconds).toBeCloseTo(3)
})

test('packets without times are no timeline', () => {
  expect(readTimeline([{ stream_index: 0 }], 0.1)).toBeUndefined()
})
