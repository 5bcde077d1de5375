import { test } from 'bun:test'
import { callbackAddress } from '../../support/callback-address'
import { expectError } from '../../support/client/errors'

test('a callback is read up to 64 KiB, counted as it comes', async () => {
  const chunk = new Uint8Array(8 * 1024)
  const body = new ReadableStream({
    start(controller) {
      for (let n = 0; n < 9; n++) controller.enqueue(chunk)
      controller.close()
    },
  })
  const response = await fetch(callbackAddress('simulator'), { method: 'POST', body })
  const text = await response.text()
  expectError({ status: response.status, headers: response.headers, text, body: JSON.parse(text) }, 413, 'body_too_large')
})
