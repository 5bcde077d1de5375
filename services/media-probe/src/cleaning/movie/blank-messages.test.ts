import { expect, test } from 'bun:test'
import { blankMessages, type MessageCodec } from './blank-messages'

const message = (type: number, ...payload: number[]) => [
  type,
  ...Array(Math.floor(payload.length / 255)).fill(255),
  payload.length % 255,
  ...payload,
]
const unit = (...messages: number[][]) => Buffer.from([6, ...messages.flat(), 0x80])
const secret = (bytes: number) => Array.from({ length: bytes }, (_, index) => 1 + (index % 200))

test('private data of any length become filler of the same length', () => {
  for (const bytes of [0, 1, 15, 16, 252, 253, 254, 255, 256, 257, 508, 509, 510, 511, 512, 1_000]) {
    const before = unit(message(5, ...secret(bytes)))
    const after = Buffer.from(before)
    expect(blankMessages(after, 'h264')).toBe(true)
    expect([after.length, after[0], after[1], after.at(-1)]).toEqual([before.length, 6, 3, 0x80])
    expect(after.includes(Buffer.from([1, 2, 3, 4]))).toBe(false)
    // Filler is kept, so nothing changes.
    expect(blankMessages(after, 'h264')).toBe(false)
  }
})

test('messages that decoders or screens need stay', () => {
  const recovery = message(6, 0x84)
  const after = unit(recovery, message(4, ...secret(40)), message(137, ...secret(24)))
  expect(blankMessages(after, 'h264')).toBe(true)
  expect(after.subarray(1, 4)).toEqual(Buffer.from(recovery))
  expect(after.includes(Buffer.from(message(137, ...secret(24))))).toBe(true)
  expect(blankMessages(unit(recovery), 'h264')).toBe(false)
})

const x264Id = Buffer.from('dc45e9bde6d948b7962cd820d923eeef', 'hex')
const x264Message = (words: string) => message(5, ...x264Id, ...Buffer.from(`${words}\0`))

test('of x264’s message the build number stays, by which decoders know its 4:4:4', () => {
  const recovery = message(6, 0x84)
  const before = unit(x264Message('x264 - core 142 r2431 secret - options: cabac=1'), recovery)
  const after = Buffer.from(before)
  expect(blankMessages(after, 'h264')).toBe(true)
  const spaces = 'x264 - core 142 r2431 secret - options: cabac=1\0'.length
  expect(after).toEqual(unit(message(5, ...x264Id, ...Buffer.from('x264 - core 142'.padEnd(spaces))), recovery))
  expect(blankMessages(after, 'h264')).toBe(false)
})

test('other words in x264’s message, and its build number in another message, become filler', () => {
  for (const words of ['x264 - core 14211', 'x265 - core 142', 'x264 - core secret', ' x264 - core 142'])
    expect(blanked(unit(x264Message(words)), 'h264')).not.toMatch(/core/)
  expect(blanked(unit(message(5, ...secret(16), ...Buffer.from('x264 - core 142'))), 'h264')).not.toMatch(/core/)
  expect(blanked(Buffer.from([0x4e, 1, ...x264Message('x264 - core 142'), 0x80]), 'hevc')).not.toMatch(/core/)
})

function blanked(unit: Buffer, codec: MessageCodec): string {
  expect(blankMessages(unit, codec)).toBe(true)
  return unit.toString('latin1')
}

test('picture units never change, and sound is not mistaken for them', () => {
  for (const first of [0x65, 0x41, 0x67, 0x68]) expect(blankMessages(Buffer.from([first, 5, 2, 1, 2, 0x80]), 'h264')).toBe(false)
  expect(blankMessages(Buffer.from([0x26, 1, 5, 2, 1, 2, 0x80]), 'hevc')).toBe(false)
})

test('truncated or malformed messages are blanked completely', () => {
  const after = Buffer.from([6, 5, 200, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0x80])
  expect(blankMessages(after, 'h264')).toBe(true)
  expect(after).toEqual(Buffer.from([6, 3, 9, ...Array(9).fill(255), 0x80]))
})

test('escaped zeros leave no gap', () => {
  const after = Buffer.from([0x4e, 1, 0, 3, 0, 0, 3, 1, 5, 4, 0, 0, 3, 1, 1, 0x80])
  expect(blankMessages(after, 'hevc')).toBe(true)
  expect(after).toEqual(Buffer.from([0x4e, 1, 0, 3, 0, 0, 3, 1, 3, 5, ...Array(5).fill(255), 0x80]))
})
