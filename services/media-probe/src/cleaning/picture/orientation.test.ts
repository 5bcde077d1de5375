import { expect, test } from 'bun:test'
import { exifBlock } from '../../testing/pictures'
import { readOrientation, writeExif } from './orientation'

test.each([1, 2, 3, 4, 5, 6, 7, 8])('orientation %i is read in both byte orders, and from our own output', orientation => {
  expect(readOrientation(exifBlock(orientation, 'MM'))).toBe(orientation)
  expect(readOrientation(exifBlock(orientation, 'II'))).toBe(orientation)
  expect(readOrientation(writeExif(orientation))).toBe(orientation)
})

test.each([0, 9, 65_535])('%i is not an orientation', orientation => {
  expect(readOrientation(exifBlock(orientation))).toBeUndefined()
})

test('no truncated or modified block makes the reader throw', () => {
  const block = exifBlock(6)
  for (let bytes = 0; bytes < block.length; bytes += 1) readOrientation(block.subarray(0, bytes))
  for (let at = 0; at < 60; at += 1) {
    const broken = Buffer.from(block)
    broken[at] = 0xff
    readOrientation(broken)
  }
  expect(readOrientation(Buffer.from('MM\0*\xff\xff\xff\xff', 'latin1'))).toBeUndefined()
  expect(readOrientation(block.subarray(0, 30))).toBeUndefined()
})
