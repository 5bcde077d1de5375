import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { bodyTexts } from '../../catalog/bodies/body-texts'
import type { PublishedCatalog } from '../../catalog/models/published-models'
import { createKey, openAccount } from '../../support/client/account'
import { type Answer, createApi } from '../../support/client/api'
import { logLines, logSize } from '../../support/servers/service-log'

const bodiesMin = 300
/** Both answers of a body count; a key has 300 requests a minute here. */
const keys = 6

/** What no generator of bodies writes: beyond all numbers, half characters, keys that stand twice, no object at all. */
const oddities = [
  '{"model":"alpha-h3-fast","prompt":"\\ud800"}',
  '{"model":"alpha-h3-fast","prompt":"a","duration":1e400}',
  '{"model":"beta-2.5","prompt":"a","seed":-1e400}',
  '{"model":"alpha-h3-fast","prompt":"a","max_credits":1e400}',
  '{"model":"alpha-h3-fast","prompt":"a","\\udfff":1}',
  '{"model":"alpha-h3-fast\\udc00","prompt":"a"}',
  '{"model":"alpha-h3-fast","prompt":"a","prompt":"b"}',
  '{"model":"alpha-h3-fast","prompt":"a\\u0000"}',
  '{"model":"alpha-h3-fast","prompt":"a","__proto__":{"model":"beta-2.5"}}',
  '{"model":"alpha-h3-fast","prompt":"a","max_credits":1}',
  '{"model":"alpha-h3-fast"',
  'null',
  '[]',
  '"alpha-h3-fast"',
  '1e400',
  '',
]

test('an estimate and a generation answer every body alike: one refusal word for word, or one price', async () => {
  const { accountId, api } = await openAccount({ credits: 0 })
  const secrets = await Promise.all(Array.from({ length: keys }, async () => (await createKey(accountId)).api_key))
  const clients = secrets.map(secret => createApi(secret))
  const catalog: PublishedCatalog = JSON.parse((await api.get('/models')).text)
  const texts = [...oddities, ...fc.sample(bodyTexts(catalog), bodiesMin)]
  const outcomes = new Map<string, number>()
  const logStart = logSize('gateway')
  const next = texts.entries()
  const worker = async () => {
    for (const [index, text] of next) {
      const client = clients[index % keys] as (typeof clients)[number]
      const [estimated, generated] = await Promise.all([
        client.postText('/video/estimate', text),
        client.postText('/video/generations', text),
      ])
      const outcome = `${estimated.status} ${estimated.body.error?.code ?? ''}`
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
      expect([text, told(generated)]).toEqual([text, expectedOf(estimated)])
    }
  }
  await Promise.all(Array.from({ length: 8 }, worker))
  // A body that nobody can read is no error of ours: nothing of these is in the log with an error or above `info`.
  const own = logLines('gateway', logStart).filter(({ account_id }) => account_id === accountId)
  expect(own.length).toBeGreaterThanOrEqual(texts.length)
  const traces = new Set(own.map(({ trace_id }) => trace_id))
  const troubled = logLines('gateway', logStart).filter(({ trace_id, err, level }) => traces.has(trace_id) && (err || level !== 'info'))
  expect(troubled).toEqual([])
  expect(outcomes.get('200 ')).toBeGreaterThan(bodiesMin / 10)
  expect(outcomes.get('400 invalid_request')).toBeGreaterThan(bodiesMin / 10)
}, 60_000)

const told = ({ status, body }: Answer) => ({ status, error: body.error })

type Estimate = { credits: number; within_max_credits: boolean; price_version: string; request: { max_credits?: number } }

/** What a generation of the same body comes to on an account without credits. */
function expectedOf({ status, text, body }: Answer) {
  if (status !== 200) return { status, error: body.error }
  const { credits, within_max_credits, price_version, request } = JSON.parse(text) as Estimate
  const message = expect.any(String)
  if (within_max_credits)
    return { status: 402, error: { code: 'insufficient_credits', message, details: { required_credits: credits, available_credits: 0 } } }
  const details = { price_credits: credits, max_credits: request.max_credits, price_version }
  return { status: 400, error: { code: 'max_credits_exceeded', message, details } }
}
