import { expect, test } from 'bun:test'
import { hasVariableRate, readTimeline } from './timeline'

const packets = (times: number[], duration: number) =>
  times.map((pts, index) => ({ stream_index: 0, pts, dts: index * 20 - 40, duration, flags: '__' }))
const inOrder = (times: number[], duration: number) => packets(times, duration).map(packet => ({ ...packet, dts: packet.pts }))
/** Thirty frames/s in a scale of 600, reordered; ffprobe guesses a duration of one tick. */
const reordered = packets([0, 60, 20, 40, 80], 1)

test('with reordered frames the track’s length sets the end, if its header lists them', () => {
  const track = { start_pts: 0, duration_ts: 100, nb_frames: '5' }
  expect(readTimeline(reordered, track)).toEqual({ frames: 5, start: 0, end: 100, lastDuration: 20 })
  expect(readTimeline(reordered, { ...track, duration_ts: 160 })).toMatchObject({ end: 160, lastDuration: 80 })
})

test('an empty edit before the frames is not part of the last one', () => {
  const late = reordered.map(packet => ({ ...packet, pts: (packet.pts ?? 0) + 300 }))
  expect(readTimeline(late, { start_pts: 300, duration_ts: 400, nb_frames: '9' })).toMatchObject({ start: 300, end: 400, lastDuration: 20 })
  expect(readTimeline(late, { start_pts: 300, duration_ts: 100, nb_frames: '5' })).toMatchObject({ start: 300, end: 400, lastDuration: 20 })
})

test('without a known last duration, the last frame is as long as the others', () => {
  expect(readTimeline(reordered, { duration_ts: 81, nb_frames: '5' })).toMatchObject({ end: 100 })
  expect(readTimeline(reordered, { duration_ts: 3_600_000, nb_frames: '2' })).toMatchObject({ end: 100 })
  expect(readTimeline(reordered, {})).toMatchObject({ end: 100 })
})

test('without reordering the last frame’s own duration counts, and a gap before it doesn’t', () => {
  expect(readTimeline([...inOrder([0, 20], 20), ...inOrder([40], 900)], {})).toMatchObject({ end: 940 })
  expect(readTimeline(inOrder([0, 500, 520, 540], 0), {})).toMatchObject({ end: 560 })
})

test('a rate varies if gaps differ by more than rounding', () => {
  expect(hasVariableRate(reordered)).toBe(false)
  // 59.94 frames/s in a scale of 600, and 24 in milliseconds.
  expect(hasVariableRate(inOrder([0, 10, 20, 31, 41], 10))).toBe(false)
  expect(hasVariableRate(inOrder([0, 42, 83, 125], 41))).toBe(false)
  expect(hasVariableRate(inOrder([0, 20, 40, 80], 20))).toBe(true)
  expect(hasVariableRate(inOrder([0], 20))).toBe(false)
})

test('packets without times give no timeline', () => {
  expect(readTimeline([{ stream_index: 0, flags: 'K_' }], {})).toBeUndefined()
})
