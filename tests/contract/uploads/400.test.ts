import { expect, test } from 'bun:test'
import { openAccount } from '../../support/client/account'
import { expectError } from '../../support/client/errors'
import { askUpload } from '../../support/client/upload'

test('a type that no model takes, a length that no file has, and what is no upload at all', async () => {
  const { api } = await openAccount()
  const png = { type: 'image/png', bytes: 4 }
  const faults: [unknown, string][] = [
    [{ ...png, type: 'image/gif' }, 'type'],
    [{ ...png, type: 'image/png; a=b' }, 'type'],
    [{ ...png, type: 1 }, 'type'],
    [{ ...png, bytes: 0 }, 'bytes'],
    [{ ...png, bytes: 52_428_801 }, 'bytes'],
    [{ ...png, bytes: '4' }, 'bytes'],
    [{ type: 'image/png' }, 'bytes'],
    [{ ...png, name: 'a.png' }, 'name'],
    [[], ''],
  ]
  for (const [body, path] of faults) {
    const { issues } = expectError(await askUpload(api, body), 400, 'invalid_request') as { issues: { path: string }[] }
    expect(issues.map(issue => issue.path)).toContain(path)
  }
  expectError(await api.send('POST', '/uploads', { body: JSON.stringify(png) }), 400, 'invalid_content_type')
  expectError(await api.send('POST', '/uploads', { headers: { 'content-type': 'application/json' }, body: '{' }), 400, 'invalid_json')
})
