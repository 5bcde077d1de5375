import { test } from 'bun:test'
import { openAccount } from '../../support/client/account'
import { expectError } from '../../support/client/errors'
import { settings } from '../../support/settings'

const limit = 64 * 1024
const headers = { 'content-type': 'application/json', 'idempotency-key': 'key-1' }
/** A JSON body of exactly so many bytes; its fault is another one. */
const bodyOf = (bytes: number) => `{"prompt":"${'x'.repeat(bytes - 13)}"}`

test('a body of 64 KiB is read, one byte more is refused with a body of its own', async () => {
  const { api } = await openAccount()
  expectError(await api.send('POST', '/video/generations', { headers, body: bodyOf(limit) }), 400, 'invalid_request')
  expectError(await api.send('POST', '/video/generations', { headers, body: bodyOf(limit + 1) }), 413, 'body_too_large')
})

test('bytes are counted as they come, not as announced', async () => {
  const { apiKey } = await openAccount()
  const body = new ReadableStream({
    start(controller) {
      for (let chunk = 0; chunk < 9; chunk++) controller.enqueue(new TextEncoder().encode('x'.repeat(8 * 1024)))
      controller.close()
    },
  })
  const response = await fetch(`${settings.url}/video/generations`, {
    method: 'POST',
    headers: { ...headers, authorization: `Bearer ${apiKey}` },
    body,
  })
  const text = await response.text()
  expectError({ status: response.status, headers: response.headers, text, body: JSON.parse(text) }, 413, 'body_too_large')
})

test('ten megabytes, far beyond the runtime’s own limit, get the same answer', async () => {
  const { api } = await openAccount()
  expectError(await api.send('POST', '/video/generations', { headers, body: bodyOf(10 * 1024 * 1024) }), 413, 'body_too_large')
})
