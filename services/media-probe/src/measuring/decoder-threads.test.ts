import { expect, test } from 'bun:test'
import { decoderThreads } from './decoder-threads'

const film = (width: number, height: number, pixelFormat = 'yuv420p') => ({ width, height, pixelFormat })

test('an ordinary video uses cores + 1 threads, up to sixteen', () => {
  expect([2, 8, 64].map(coresMax => decoderThreads({ coresMax }, film(1920, 1080)))).toEqual([3, 9, 16])
})

test('the largest pictures use the same threads on every machine, fewer at higher bit depths', () => {
  const threads = (pixelFormat: string) => [2, 64].map(coresMax => decoderThreads({ coresMax }, film(5760, 5760, pixelFormat)))
  expect(threads('yuv420p')).toEqual([3, 3])
  expect(threads('yuv422p')).toEqual([3, 3])
  expect(threads('yuv444p')).toEqual([2, 2])
  expect(threads('yuv420p10le')).toEqual([2, 2])
  expect(threads('yuv444p12le')).toEqual([1, 1])
  expect(threads('yuva444p10le')).toEqual([1, 1])
})
