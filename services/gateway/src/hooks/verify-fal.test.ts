import { expect, test } from 'bun:test'
import { createHash, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import type { PublishedKeys } from './published-keys'
import { verifyFal } from './verify-fal'

const id = '123e4567-e89b-12d3-a456-426614174000'
const at = 1_795_400_000
const now = () => new Date(at * 1_000)

const own = generateKeyPairSync('ed25519')
const stranger = generateKeyPairSync('ed25519')
const keysOf = (...keys: KeyObject[]): PublishedKeys => ({ some: async isOf => keys.some(isOf) })
const keys = keysOf(stranger.publicKey, own.publicKey)

type Call = { requestId?: string; userId?: string; timestamp?: string; body?: string; key?: KeyObject }

/** A callback as fal's page has it signed. */
function callback({ requestId = id, userId = 'usr_1', timestamp = String(at), body = whole, key = own.privateKey }: Call = {}) {
  const digest = createHash('sha256').update(body).digest('hex')
  return {
    headers: new Headers({
      'x-fal-webhook-request-id': requestId,
      'x-fal-webhook-user-id': userId,
      'x-fal-webhook-timestamp': timestamp,
      'x-fal-webhook-signature': sign(null, Buffer.from(`${requestId}\n${userId}\n${timestamp}\n${digest}`), key).toString('hex'),
    }),
    body: Buffer.from(body),
  }
}
const whole = JSON.stringify({ request_id: id, gateway_request_id: id, status: 'OK', payload: null })

const proofOf = ({ headers, body }: ReturnType<typeof callback>, userId?: string) => verifyFal({ keys, userId, now }, headers, body)

test('what was signed elsewhere, with the key of RFC 8037 A.1, is verified to the byte', async () => {
  const rfcKey = createPublicKey({
    key: { kty: 'OKP', crv: 'Ed25519', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' },
    format: 'jwk',
  })
  const body = `{"request_id": "${id}", "gateway_request_id": "${id}", "status": "OK", "payload": null}`
  const headers = new Headers({
    'X-Fal-Webhook-Request-Id': id,
    'X-Fal-Webhook-User-Id': 'usr_1',
    'X-Fal-Webhook-Timestamp': String(at),
    // By another implementation: Python's cryptography 48.
    'X-Fal-Webhook-Signature':
      '3851bbfe162102ef2ac79b047cea6420d8a6eb465228665c0d73bc14b1dbf9ca6366e1d908ade2cdc5b2882d9f296f89e7473568f5e845ed5400e696afd6a603',
  })
  const proof = (text: string) => verifyFal({ keys: keysOf(rfcKey), userId: undefined, now }, headers, Buffer.from(text))
  expect(await proof(body)).toEqual({ proved: 'verified', providerTaskId: id })
  // The same JSON, written anew.
  expect(await proof(JSON.stringify(JSON.parse(body)))).toEqual({ proved: 'forged' })
})

test('the id is that of the queue’s API, which stands in the signed body', async () => {
  const retried = callback({ requestId: 'another', body: whole.replace(`"gateway_request_id":"${id}"`, '"gateway_request_id":"another"') })
  expect(await proofOf(retried)).toEqual({ proved: 'verified', providerTaskId: id })
})

test('another key, and any change of what is signed, is forged', async () => {
  expect(await proofOf(callback({ key: generateKeyPairSync('ed25519').privateKey }))).toEqual({ proved: 'forged' })
  for (const [name, value] of [
    ['request-id', 'x'],
    ['user-id', 'x'],
    ['timestamp', String(at + 1)],
    ['timestamp', 'soon'],
    ['timestamp', ` ${at}.0`],
    ['signature', '00'.repeat(64)],
    ['signature', 'zz'.repeat(64)],
    ['signature', '00'],
  ] as const) {
    const call = callback()
    call.headers.set(`x-fal-webhook-${name}`, value)
    expect([name, value, await proofOf(call)]).toEqual([name, value, { proved: 'forged' }])
  }
  const { headers } = callback()
  expect(await proofOf({ headers, body: Buffer.from(whole.replace(id, id.replace('1', '2'))) })).toEqual({ proved: 'forged' })
})

test('one header less is unsigned', async () => {
  for (const name of ['request-id', 'user-id', 'timestamp', 'signature']) {
    const call = callback()
    call.headers.delete(`x-fal-webhook-${name}`)
    expect([name, await proofOf(call)]).toEqual([name, { proved: 'unsigned' }])
  }
})

test('more than five minutes old, or ahead, is stale', async () => {
  for (const [seconds, proved] of [
    [300, 'verified'],
    [-300, 'verified'],
    [301, 'stale'],
    [-301, 'stale'],
  ] as const)
    expect([seconds, (await proofOf(callback({ timestamp: String(at - seconds) }))).proved]).toEqual([seconds, proved])
})

test('where our account there is known, a callback of another one is foreign', async () => {
  expect(await proofOf(callback(), 'usr_1')).toEqual({ proved: 'verified', providerTaskId: id })
  expect(await proofOf(callback({ userId: 'usr_2' }), 'usr_1')).toEqual({ proved: 'foreign' })
})

test('a signed body without an id that a row can hold names none', async () => {
  for (const body of ['', '{', 'null', '{}', '{"request_id":7}', '{"request_id":"a b"}', `{"request_id":"${'a'.repeat(101)}"}`])
    expect([body, await proofOf(callback({ body }))]).toEqual([body, { proved: 'unnamed' }])
})

test('without keys nothing is proved', async () => {
  const { headers, body } = callback()
  expect(await verifyFal({ keys: { some: async () => undefined }, userId: undefined, now }, headers, body)).toEqual({ proved: 'unchecked' })
})
