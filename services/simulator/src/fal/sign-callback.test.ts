import { expect, test } from 'bun:test'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openCallbackKey } from './sign-callback'

test('the key is the same after a restart, and nobody else may read it', () => {
  const folder = mkdtempSync(join(tmpdir(), 'filmgate-simulator-'))
  const path = join(folder, 'new', 'key.pem')
  const first = openCallbackKey(path, () => 0).keySet()
  expect(openCallbackKey(path, () => 0).keySet()).toEqual(first)
  expect(statSync(path).mode & 0o777).toBe(0o600)
  expect(openCallbackKey(join(folder, 'other.pem'), () => 0).keySet()).not.toEqual(first)
  rmSync(folder, { recursive: true })
})
