import { expect, test } from 'bun:test'
import { safePath } from './safe-path'

test('only paths of the console itself are gone to', () => {
  for (const path of ['/', '/accounts/a1/tasks?cursor=x#y', '/security']) expect(safePath(path)).toBe(path)
  const foreign = [
    '//evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    'https://evil.example',
    'javascript:alert(1)',
    '/\t/evil.example',
    '/%0a\n/x',
    '',
    'x',
    '/..//evil.example',
  ]
  for (const path of foreign) expect(safePath(path)).toMatch(/^\/(?!\/)/)
  expect(safePath(undefined, '/security')).toBe('/security')
})
