import { expect, test } from 'bun:test'
import { frameSize } from './frame-size'

const resolutions = {
  '360p': 360,
  '480p': 480,
  '512p': 512,
  '540p': 540,
  '720p': 720,
  hd: 720,
  '768p': 768,
  '1080p': 1080,
  fhd: 1080,
  '2k': 1440,
  '4k': 2160,
}
const ratios = ['16:9', '9:16', '4:3', '3:4', '3:2', '2:3', '2:1', '21:9', '1:1']

test('every resolution and ratio of the contract has a size with even sides, its shorter one as named', () => {
  for (const [resolution, short] of Object.entries(resolutions))
    for (const ratio of ratios) {
      const size = frameSize(resolution, ratio)
      const [across = 0, down = 0] = ratio.split(':').map(Number)
      expect(Math.min(size?.width ?? 0, size?.height ?? 0)).toBe(short)
      expect([(size?.width ?? 1) % 2, (size?.height ?? 1) % 2]).toEqual([0, 0])
      expect(Math.abs((size?.width ?? 0) / (size?.height ?? 1) - across / down)).toBeLessThan(0.01)
    }
})

test('adaptive is the ratio of what was given, within reason, else 16:9', () => {
  expect(frameSize('720p', 'adaptive')).toEqual({ width: 1280, height: 720 })
  expect(frameSize('720p', 'adaptive', { width: 300, height: 400 })).toEqual({ width: 720, height: 960 })
  expect(frameSize('720p', 'adaptive', { width: 5000, height: 100 })).toEqual({ width: 1800, height: 720 })
})

test('a word nobody knows has no size', () => {
  expect([frameSize('8k', '16:9'), frameSize('720p', '16x9'), frameSize('720p', '0:1')]).toEqual([undefined, undefined, undefined])
})
