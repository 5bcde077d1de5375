import { expect, test } from 'bun:test'
import { Webhook } from 'standardwebhooks'
import { isCode } from './index.ts'
import { verifyWebhook } from './webhooks.ts'

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const other = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD'
const payload = JSON.stringify({
  type: 'balance.low',
  timestamp: '2026-11-26T12:00:00.000Z',
  data: { available_credits: 3, threshold_credits: 9 },
})

function delivery({ body = payload, by = [secret], at = new Date() } = {}) {
  return {
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': by.map(each => new Webhook(each).sign('msg_1', at, body)).join(' '),
  }
}
const refused = async (...[body, headers, by = secret]: [string | Uint8Array, Record<string, string>, string?]) =>
  isCode(await verifyWebhook(body, headers, by).catch((error: unknown) => error), 'invalid_webhook')

test('what the library of Standard Webhooks signs is the event, in text, bytes and every kind of headers', async () => {
  const event = JSON.parse(payload)
  const headers = delivery()
  expect(await verifyWebhook(payload, headers, secret)).toEqual(event)
  expect(await verifyWebhook(new TextEncoder().encode(payload), new Headers(headers), secret)).toEqual(event)
  const upper = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), [value]]))
  expect(await verifyWebhook(payload, upper, secret)).toEqual(event)
  const unicode = JSON.stringify({ type: 'webhook.test', timestamp: 'é🙂', data: {} })
  expect(await verifyWebhook(unicode, delivery({ body: unicode }), secret)).toEqual(JSON.parse(unicode))
})

test('while a secret is rotated either of the two signatures fits; a secret that is plain text signs by its bytes', async () => {
  for (const by of [
    [secret, other],
    [other, secret],
  ]) {
    expect(await refused(payload, delivery({ by }))).toBe(false)
    expect(await refused(payload, delivery({ by }), other)).toBe(false)
  }
  const at = new Date()
  const text = 'a secret of my own'
  const signed = new Webhook(Buffer.from(text), { format: 'raw' }).sign('msg_1', at, payload)
  expect(await refused(payload, { ...delivery({ at }), 'webhook-signature': signed }, text)).toBe(false)
})

test('a payload, id, time or signature that was changed, another secret, and what is old or of the future are refused', async () => {
  const headers = delivery()
  expect(await refused(payload, headers)).toBe(false)
  expect(await refused(`${payload} `, headers)).toBe(true)
  expect(await refused(payload.replace('3', '4'), headers)).toBe(true)
  expect(await refused(payload, { ...headers, 'webhook-id': 'msg_2' })).toBe(true)
  expect(await refused(payload, { ...headers, 'webhook-timestamp': String(Number(headers['webhook-timestamp']) - 1) })).toBe(true)
  expect(await refused(payload, headers, other)).toBe(true)
  for (const signature of [
    '',
    'v1,',
    'v1,AAAA',
    headers['webhook-signature'].replace('v1,', 'v2,'),
    'v1,!!!',
    headers['webhook-signature'].slice(0, -4),
  ])
    expect(await refused(payload, { ...headers, 'webhook-signature': signature })).toBe(true)
  for (const seconds of [-301, 302]) expect(await refused(payload, delivery({ at: new Date(Date.now() + seconds * 1_000) }))).toBe(true)
  for (const seconds of [-295, 295]) expect(await refused(payload, delivery({ at: new Date(Date.now() + seconds * 1_000) }))).toBe(false)
  expect(await refused(payload, { ...headers, 'webhook-timestamp': 'NaN' })).toBe(true)
  expect(await refused(payload, {})).toBe(true)
  expect(await refused('not json', delivery({ body: 'not json' }))).toBe(true)
})
