import { expect, test } from 'bun:test'
import { renderError } from '@filmgate/kit/http/render-error'
import { testLog } from '@filmgate/kit/testing'
import { decode, topics } from '@filmgate/proto/topics'
import { Elysia } from 'elysia'
import { reasons } from '../errors'
import type { CallbackProof } from './callback-proof'
import { type HookDeps, hooks } from './routes'

const token = 'at_0123456789abcdef0123456789abcdef'
const calledAt = new Date('2026-11-23T01:00:00Z')

/** Posts a callback whose signature proves that, and returns the answer's status and what was written of it. */
async function post(proof: CallbackProof, body: string, provider = 'fal', at = token) {
  const written: { topic: string; key: string; value: Uint8Array }[] = []
  const judged: [string, string | null, string][] = []
  const app = new Elysia({ normalize: false }).use(renderError(testLog, reasons)).use(
    hooks({
      outbox: {
        transaction: (work: (sql: never, send: (events: typeof written) => void) => unknown) =>
          Promise.resolve(work(undefined as never, events => void written.push(...events))),
      } as unknown as HookDeps['outbox'],
      topicPrefix: 'filmgate',
      now: () => calledAt,
      addressRateLimit: 10,
      takeAddressToken: () => ({ taken: true, left: 9, waitMs: 0 }),
      clientAddress: () => '192.0.2.1',
      readToken: async (provider, given) => (given.startsWith('forged') ? undefined : `${provider} ${given}`),
      async verifyCallback(provider, headers, body) {
        judged.push([provider, headers.get('x-fal-webhook-user-id'), Buffer.from(body).toString()])
        return proof
      },
    }),
  )
  const headers = { 'x-fal-webhook-user-id': 'usr_1' }
  const answer = await app.handle(new Request(`http://gateway/hooks/${provider}/${at}`, { method: 'POST', headers, body }))
  const [sent] = written
  const answered = await answer.text()
  const { event } = decode(topics.callbacks.schema, sent?.value ?? new Uint8Array())
  return { status: answer.status, answered, judged, key: sent?.key, topic: sent?.topic, bytes: sent?.value.length ?? 0, value: event.value }
}

test('a verified callback hands on the id that it names, and nothing else of it', async () => {
  const body = JSON.stringify({ request_id: 'one', payload: 'x'.repeat(10_000) })
  const { value, bytes, ...rest } = await post({ proved: 'verified', providerTaskId: 'one' }, body)
  expect(rest).toEqual({ status: 204, answered: '', judged: [['fal', 'usr_1', body]], key: `fal ${token}`, topic: 'filmgate.callbacks.v1' })
  expect(value).toMatchObject({ provider: 'fal', attemptToken: `fal ${token}`, providerTaskId: 'one', body: new Uint8Array() })
  expect(bytes).toBeLessThan(110)
})

test.each(['unsigned', 'stale', 'forged', 'foreign', 'unnamed', 'unchecked'] as const)(
  'one that is %s is a hint without an id',
  async proved => {
    const { status, value } = await post({ proved }, '{"request_id":"one"}')
    expect(status).toBe(204)
    expect(value).toMatchObject({ provider: 'fal', attemptToken: `fal ${token}`, providerTaskId: '' })
  },
)

test('a provider that asks whether the address is ours gets its challenge back, and nothing is written', async () => {
  const challenge = crypto.randomUUID()
  const { value, ...rest } = await post({ proved: 'unsigned' }, JSON.stringify({ challenge }), 'minimax')
  expect(rest).toEqual({ status: 200, answered: JSON.stringify({ challenge }), judged: [], key: undefined, topic: undefined, bytes: 0 })
  const asCallback = await post({ proved: 'unsigned' }, JSON.stringify({ challenge }), 'fal')
  expect(asCallback).toMatchObject({ status: 204, value: { provider: 'fal', attemptToken: `fal ${token}` } })
  const called = await post({ proved: 'unsigned' }, JSON.stringify({ task: { id: '1', status: 'succeeded' } }), 'minimax')
  expect(called).toMatchObject({ status: 204, value: { provider: 'minimax', attemptToken: `minimax ${token}`, providerTaskId: '' } })
})

test('a call at an address that we did not make is 404, its body is not looked at, and nothing is written', async () => {
  for (const provider of ['fal', 'minimax']) {
    const { status, judged, topic } = await post({ proved: 'unsigned' }, '{"challenge":"x"}', provider, 'forged_0123456789abcdef')
    expect([status, judged, topic]).toEqual([404, [], undefined])
  }
})
