import { expect, test } from 'bun:test'
import { readTimeline } from './timeline'

const packets = (times: number[], duration: number) =>
  times.map((pts, index) => ({ stream_index: 0, pts, dts: index * 20 - 40, duration, flags: '__' }))
const inOrder = (times: number[], duration: number) => packets(times, duration).map(packet => ({ ...packet, dts: packet.pts }))
/** Thirty a second in a scale of 600, decoded in another order than shown; ffprobe guesses that each lasts a tick. */
const reordered = packets([0, 60, 20, 40, 80], 1)

test('frames that are decoded out of order end as the track says, where its header lists them', () => {
  const track = { start_pts: 0, duration_ts: 100, nb_frames: '5' }
  expect(readTimeline(reordered, track)).toEqual({ frames: 5, start: 0, end: 100, lastDuration: 20 })
  expect(readTimeline(reordered, { ...track, duration_ts: 160 })).toMatchObject({ end: 160, lastDuration: 80 })
})

test('a length that says nothing of the last frame leaves it as long as the others', () => {
  expect(readTimeline(reordered, { duration_ts: 81, nb_frames: '5' })).toMatchObject({ end: 100 })
  expect(readTimeline(reordered, { duration_ts: 3_600_000, nb_frames: '2' })).toMatchObject({ end: 100 })
  expect(readTimeline(reordered, {})).toMatchObject({ end: 100 })
})

test('the last frame’s own duration counts where frames come in order, and a gap before it does not', () => {
  expect(readTimeline([...inOrder([0, 20], 20), ...inOrder([40], 900)], {})).toMatchObject({ end: 940 })
  expect(readTimeline(inOrder([0, 500, 520, 540], 0), {})).toMatchObject({ end: 560 })
})

test('packets without times are no timeline', () => {
  expect(readTimeline([{ stream_index: 0, flags: 'K_' }], {})).toBeUndefined()
})
