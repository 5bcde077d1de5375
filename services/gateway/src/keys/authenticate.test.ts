import { expect, test } from 'bun:test'
import { pause } from '@filmgate/kit/deadline'
import { renderError } from '@filmgate/kit/http/render-error'
import { testLog } from '@filmgate/kit/testing'
import { Elysia } from 'elysia'
import { credits } from '../balances/routes'
import { createBatchedRead } from '../database/batched-read'
import { reasons } from '../errors'

const taken = { taken: true, left: 1, waitMs: 0 }
const slowKeyMs = 4_000

test('a database that is slow and then silent: a request waits 5 s for all that it asks together', async () => {
  const app = new Elysia().use(renderError(testLog, reasons)).use(
    credits({
      findCaller: async () => {
        await pause(slowKeyMs)
        return { accountId: 'a', keyId: 'k' }
      },
      takeToken: async () => taken,
      takeAddressToken: () => taken,
      giveAddressTokenBack: () => {},
      clientAddress: () => '127.0.0.1',
      rateLimit: 30,
      addressRateLimit: 120,
      findBalance: createBatchedRead(() => new Promise(() => {})),
    }),
  )
  const startedAt = performance.now()
  const answer = await app.handle(new Request('http://localhost/credits', { headers: { authorization: 'Bearer sk_live_x' } }))
  const { error } = (await answer.json()) as { error: { code: string } }
  expect([answer.status, error.code]).toEqual([503, 'service_unavailable'])
  expect(answer.headers.get('retry-after')).toBe('5')
  // Each read with its own bound would take 7 s.
  expect(performance.now() - startedAt).toBeLessThan(6_500)
}, 10_000)
