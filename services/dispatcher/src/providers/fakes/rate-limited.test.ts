import { expect, test } from 'bun:test'
import { answeringProvider } from '../../testing/answering-provider'
import { fakes } from '../../testing/fakes'
import { withTally } from '../tally'

/** So that its provider's health is not known, and no miss is counted for it. */
test.each(fakes)(
  '$name: 429 says nothing of a task, of a key or of silence, only that there are too many calls',
  async ({ connect, order }) => {
    const limited = () => Response.json({}, { status: 429, headers: { 'retry-after': '3600' } })
    const provider = answeringProvider(limited)
    try {
      const connector = connect({ url: provider.url, key: 'a-key', submitTimeoutMs: 10_000, readTimeoutMs: 10_000 })
      const providerModel = order.model === 'alpha-h3' ? 'MiniMax-H3' : 'models/m'
      const polled = { attemptId: crypto.randomUUID(), providerTaskId: '123', providerModel, echoed: false }
      const { signal } = new AbortController()
      const asking = withTally(async () => ({
        polled: await connector.poll([polled], signal).catch(() => [undefined]),
        found: await connector.lookUp?.(polled.attemptId, signal).catch(() => 'no answer'),
        key: await connector.checkKey(signal).catch(() => 'unknown'),
      }))
      expect(await asking.working).toEqual({ polled: [undefined], found: connector.lookUp && 'no answer', key: 'unknown' })
      expect(asking.tally).toEqual({ answered: 0, silent: 0, rateLimited: true, retryAfterMs: 3_600_000 })
    } finally {
      provider.stop()
    }
  },
)
