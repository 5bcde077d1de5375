import { expect, test } from 'bun:test'
import { openAccount } from '../../support/client/account'
import { openUpload, putUpload } from '../../support/client/upload'

const bytes = new Uint8Array([1, 2, 3, 4])

test('a signed PUT takes exactly the announced file, and the URL is of the account', async () => {
  const { api, accountId } = await openAccount()
  const opened = await openUpload(api, 'image/png', bytes)
  expect(opened).toEqual({
    id: expect.stringMatching(/^[0-9A-Za-z]{22}$/),
    put_url: expect.stringMatching(/^https?:/),
    put_headers: { 'content-type': 'image/png' },
    url: `https://uploads.filmgate.internal/${accountId}/${opened.id}.png`,
    expires_at: expect.any(String),
  })
  const dayMs = 86_400_000
  expect(Math.abs(Date.parse(opened.expires_at) - Date.now() - dayMs)).toBeLessThan(60_000)
  expect(await putUpload(opened, new Uint8Array(3))).toBe(403)
  expect(await putUpload(opened, new Uint8Array(5))).toBe(403)
  expect(await putUpload(opened, bytes, { 'content-type': 'video/mp4' })).toBe(403)
  expect(await putUpload({ ...opened, put_url: opened.put_url.replace(opened.id, 'x'.repeat(22)) }, bytes)).toBe(403)
  expect(await putUpload(opened, bytes)).toBe(200)
  expect((await fetch(opened.put_url)).ok).toBe(false)
})
