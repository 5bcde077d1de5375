import { expect, test } from 'bun:test'
import { readClosingLine } from './closing-line'

test.each([
  ['1 passed, 0 failed\n… 3 passed, 1 failed\n7 passed, 2 failed, 3 skipped\n', 1, { passed: 7, failed: 2, skipped: 3 }],
  ['7 passed, 0 failed\nstopped\n', 0, { passed: 7, failed: 0, skipped: 0 }],
  ['7 passed, 0 failed\n', 1, { passed: 7, failed: 1, skipped: 0 }],
  ['error: out of memory\n', 137, { passed: 0, failed: 1, skipped: 0 }],
  ['0 passed, 0 failed\n', 0, { passed: 0, failed: 1, skipped: 0 }],
])('a suite that prints %j and exits with %i has these counts', (text, code, counts) => {
  expect(readClosingLine(text, code)).toEqual(counts)
})
