import { expect, test } from 'bun:test'
import { readableLine } from './readable-line'

test('a service’s line shows time, level, message and fields; other lines stay unchanged', () => {
  const line = JSON.stringify({ level: 'info', time: '2026-11-22T09:49:55.980Z', service: 'gateway', pid: 1, port: 4100, msg: 'listening' })
  expect(readableLine(line)).toBe('09:49:55.980 info  listening port=4100')
  expect(readableLine('2026-11-22 LOG: starting PostgreSQL')).toBe('2026-11-22 LOG: starting PostgreSQL')
  expect(readableLine('{ broken')).toBe('{ broken')
})

test('an error shows its stack trace below the line', () => {
  const err = { message: 'gone', stack: 'Error: gone\n    at there' }
  expect(readableLine(JSON.stringify({ level: 'error', time: '2026-11-22T09:49:55.980Z', err, msg: 'failed' }))).toBe(
    '09:49:55.980 error failed \n    Error: gone\n        at there',
  )
})
