import { expect, test } from 'bun:test'
import { fingerprintOf, readIdempotencyKey } from './idempotency'

const keyOf = (key?: string) => readIdempotencyKey(new Headers(key === undefined ? {} : { 'idempotency-key': key }))

test('white space and key order make no other body; a value does', () => {
  const one = fingerprintOf(JSON.parse('{"a":1,"b":[1.0,"x"]}'))
  expect(fingerprintOf(JSON.parse('{ "b": [1, "x"], "a": 1 }'))).toEqual(one)
  expect(fingerprintOf(JSON.parse('{"a":1,"b":["x",1]}'))).not.toEqual(one)
})
test('how a number is written makes no other body', () => {
  for (const [one, other] of [
    ['5.0', '5'],
    ['1e1', '10'],
    ['-0', '0'],
    ['-0.0', '0'],
  ])
    expect(fingerprintOf(JSON.parse(`{"a":${one}}`))).toEqual(fingerprintOf(JSON.parse(`{"a":${other}}`)))
})
test('what has no canonical form is no other request’s body, not even its own', () => {
  for (const text of ['"\\ud800"', '1e400']) expect(fingerprintOf(JSON.parse(text))).not.toEqual(fingerprintOf(JSON.parse(text)))
})
test('a key is 1 to 160 characters of the contract’s set', () => {
  expect(keyOf('a.B_c:9-'.repeat(20))).toHaveLength(160)
  expect(() => keyOf()).toThrow('missing_idempotency_key')
  for (const bad of ['', 'x'.repeat(161), 'a b', 'a/b', 'ä']) expect(() => keyOf(bad)).toThrow('invalid_idempotency_key')
})
test('two headers are named as two, also those that are equal or that a proxy has joined', () => {
  const headers = new Headers([
    ['idempotency-key', 'a'],
    ['idempotency-key', 'a'],
  ])
  for (const two of [headers, new Headers({ 'idempotency-key': 'a, b' })])
    expect(() => readIdempotencyKey(two)).toThrow(
      expect.objectContaining({
        reason: 'invalid_idempotency_key',
        options: { message: 'Send one Idempotency-Key header: the request has several, or a comma in it.' },
      }),
    )
})
