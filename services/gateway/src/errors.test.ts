import { expect, test } from 'bun:test'
import { wordsFor } from './errors'

const request = (method: string, headers: Record<string, string> = {}) => new Request('http://gateway/api/v1/x', { method, headers })

test('an Idempotency-Key is spoken of only to who has sent one with a POST', () => {
  const key = { 'idempotency-key': 'k' }
  expect(wordsFor('service_unavailable', request('POST', key))).toContain('Retry with the same Idempotency-Key')
  expect(wordsFor('service_unavailable', request('POST'))).toBeUndefined()
  expect(wordsFor('service_unavailable', request('GET', key))).toBeUndefined()
  expect(wordsFor('internal_error', request('POST', key))).toBeUndefined()
})
