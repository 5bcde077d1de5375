import { afterAll, expect, test } from 'bun:test'
import { ProviderTrouble } from '../call'
import type { Connector } from '../connector'
import { connectSimulator } from './connect-simulator'

const servers: { stop(abrupt: boolean): unknown }[] = []
afterAll(() => servers.forEach(server => void server.stop(true)))

/** A provider that answers everything with these generations. */
function answering(...data: unknown[]): Connector {
  const server = Bun.serve({ port: 0, fetch: () => Response.json({ data }) })
  servers.push(server)
  const bounds = { visibilityMs: 1_000, firstPollMs: 1_000, submitTimeoutMs: 10_000, readTimeoutMs: 10_000 }
  return connectSimulator({ provider: 'simulator', url: `http://127.0.0.1:${server.port}`, key: 'a-key-of-the-test-simulator', ...bounds })
}

const { signal } = new AbortController()
const polled = (name: string) => ({ attemptId: `at_${name}`, providerTaskId: name, providerModel: 'alpha-h3', echoed: true })
const generation = (name: string, rest: object) => ({ id: name, client_task_id: `at_${name}`, status: 'succeeded', ...rest })
const url = 'https://cdn.example/a.mp4?sig=~!'
const withoutUrl = { status: 'running' as const, unknownWord: 'succeeded without a URL' }

test.each([
  ['NUL', 'https://cdn.example/a\u0000.mp4'],
  ['half a surrogate pair', 'https://cdn.example/\ud800.mp4'],
  ['a letter that a URL on the wire does not have', 'https://cdn.example/ä.mp4'],
  ['a space', 'https://cdn.example/a b.mp4'],
  ['nothing', ''],
  ['more than a URL has', `https://cdn.example/${'a'.repeat(4_096)}`],
  ['null', null],
  ['a number', 7],
])('an output URL with %s is none, and the answer about another attempt stands', async (_, bad) => {
  const provider = answering(generation('a', { output_url: bad }), generation('b', { output_url: url }))
  expect(await provider.poll([polled('a'), polled('b')], signal)).toEqual([withoutUrl, { status: 'succeeded', outputUrl: url }])
})

test('something that is no generation voids no other answer, and makes nothing missing', async () => {
  for (const malformed of [generation('a', { status: 7 }), { id: '\u0000' }, null, 'words']) {
    const provider = answering(malformed, generation('b', { output_url: url }))
    expect(await provider.poll([polled('a'), polled('b')], signal)).toEqual([undefined, { status: 'succeeded', outputUrl: url }])
    expect(await provider.lookUp?.('at_b', signal)).toBe('b')
    await expect(provider.lookUp?.('at_a', signal)).rejects.toThrow(ProviderTrouble)
  }
  const whole = answering(generation('b', { output_url: url }))
  expect(await whole.poll([polled('a')], signal)).toEqual([{ status: 'missing' }])
  expect(await whole.lookUp?.('at_a', signal)).toBeUndefined()
})
