import { heapStats } from 'bun:jsc'
import { expect, test } from 'bun:test'
import { createMp4Check } from './check-mp4'

function box(type: string, body: number | Uint8Array, as: 'short' | 'long' | 'open' = 'short'): Buffer {
  const content = typeof body === 'number' ? Buffer.alloc(body, 7) : body
  const bodyBytes = content.length
  const header = Buffer.alloc(as === 'long' ? 16 : 8)
  header.writeUInt32BE({ short: 8 + bodyBytes, long: 1, open: 0 }[as])
  header.write(type, 4, 'latin1')
  if (as === 'long') header.writeBigUInt64BE(BigInt(16 + bodyBytes), 8)
  return Buffer.concat([header, content])
}

const moov = box('moov', 300)

const whole = [box('ftyp', 16), moov, box('mdat', 5_000)]

function check(parts: Uint8Array[], chunkBytes = 97): string {
  const file = Buffer.concat(parts)
  const mp4 = createMp4Check()
  try {
    for (let at = 0; at < file.length; at += chunkBytes) mp4.take(file.subarray(at, at + chunkBytes))
    mp4.end()
    return 'whole'
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

test('a whole MP4 passes however its bytes are cut into chunks', () => {
  expect([1, 2, 7, 8, 9, 16, 97, 100_000].map(chunkBytes => check(whole, chunkBytes))).toEqual(Array(8).fill('whole'))
})

test('moov at the end, 64-bit sizes, a last box without a size and fragments pass', () => {
  expect(check([box('ftyp', 16), box('mdat', 5_000), moov])).toBe('whole')
  expect(check([box('ftyp', 16), moov, box('mdat', 5_000, 'long')])).toBe('whole')
  expect(check([box('ftyp', 16), moov, box('mdat', 5_000, 'open')])).toBe('whole')
  expect(check([box('ftyp', 16), moov, box('moof', 50), box('mdat', 99), box('moof', 50), box('mdat', 99)])).toBe('whole')
})

test('a file cut at any byte is not whole', () => {
  const file = Buffer.concat(whole)
  const passing = Array.from({ length: file.length }, (_, bytes) => bytes).filter(
    bytes => check([file.subarray(0, bytes)], 4_096) === 'whole',
  )
  expect(passing).toEqual([])
})

test('what is no MP4 is named for what it is', () => {
  expect(check([Buffer.from('<!doctype html><title>Not a video</title>')])).toStartWith('is no MP4: starts with "ctyp"')
  expect(check([Buffer.alloc(0)])).toBe('is an MP4 without ftyp')
  expect(check([...whole, Buffer.alloc(64)])).toBe('has bytes that are no box')
  expect(check([box('ftyp', 16), box('mdat', 9)])).toBe('is an MP4 without moov')
  const impossible = Buffer.from(box('free', 0))
  impossible.writeUInt32BE(7)
  expect(check([...whole, impossible])).toBe('has a box "free" of 7 bytes')
})

test('boxes with nothing in them are no film', () => {
  expect(check([box('ftyp', 0), box('moov', 0), box('mdat', 0)])).toBe('is an MP4 without media')
  expect(check([box('ftyp', 16), moov, box('moof', 50), box('mdat', 0)])).toBe('is an MP4 without media')
})

test('what says what the film is is kept with its place, and nothing of its samples', () => {
  const mp4 = createMp4Check()
  const file = Buffer.concat([box('ftyp', 16), box('mdat', 5_000), box('free', 90), moov])
  for (let at = 0; at < file.length; at += 97) mp4.take(file.subarray(at, at + 97))
  const { bytes, mediaBytes, parts } = mp4.end()
  expect([bytes, mediaBytes]).toEqual([file.length, 5_000])
  // However many chunks a part came in. The header of mdat follows ftyp.
  expect(parts.map(part => [part.offset, part.bytes.length])).toEqual([
    [0, 32],
    [5_032, 8],
    [5_130, 308],
  ])
  const kept = Buffer.alloc(file.length)
  for (const part of parts) kept.set(part.bytes, part.offset)
  expect(kept).toEqual(Buffer.concat([box('ftyp', 16), box('mdat', Buffer.alloc(5_000)), box('free', Buffer.alloc(90)), moov]))
})

test('tables that come a byte at a time cost as much memory as in one piece', () => {
  const tables = box('moov', 2 * 2 ** 20)
  const mp4 = createMp4Check()
  mp4.take(box('ftyp', 16))
  Bun.gc(true)
  const startedBytes = heapStats().heapSize
  for (let at = 0; at < tables.length; at += 1) mp4.take(tables.subarray(at, at + 1))
  Bun.gc(true)
  expect(heapStats().heapSize - startedBytes).toBeLessThan(3 * tables.length)
  mp4.take(box('mdat', 1))
  expect(mp4.end().parts).toHaveLength(1)
})
