import { expect, test } from 'bun:test'
import { openAccount } from '../../support/client/account'
import { apiDescription } from '../../support/client/described'

const headers = (more: Record<string, string> = {}) =>
  new Headers({ 'content-type': 'application/json', 'x-request-id': '4bf92f3577b34da6a3ce929d0e0e4736', ...more })

test('an answer with a property, a header, a status or details that the reference does not have is found', async () => {
  const { faults } = await apiDescription()
  const of = (method: string, path: string, status: number, body: object, more?: Record<string, string>) =>
    faults(method, path, { status, headers: headers(more), text: JSON.stringify(body) })
  const refusal = (code: string, details?: object) => ({ error: { code, message: 'words', ...(details && { details }) } })

  expect(of('GET', '/credits', 200, { available_credits: 1, balance_type: 'paid' })).toEqual([])
  expect(of('GET', '/credits', 200, { available_credits: 1, balance_type: 'paid', currency: 'USD' })).toEqual([
    'data must NOT have additional properties',
  ])
  expect(of('GET', '/credits', 200, { available_credits: 1.5, balance_type: 'paid' })).toEqual(['data/available_credits must be integer'])
  expect(of('GET', '/credits', 418, {})).toEqual(['the status 418 is not described'])
  expect(of('GET', '/tasks/vt_x?a=1', 404, refusal('task_not_found'), { link: '<>' })).toEqual(['the header link is not described for 404'])
  expect(of('POST', '/video/generations', 402, refusal('insufficient_credits', { required_credits: 1, available_credits: 0 }))).toEqual([])
  expect(of('POST', '/video/generations', 402, refusal('insufficient_credits', { required_credits: 1 })).join()).toContain(
    "must have required property 'available_credits'",
  )
  expect(of('POST', '/video/generations', 409, refusal('idempotency_key_reused', { task_id: 'vt_x' })).join()).toContain(
    'must NOT be valid',
  )
  expect(of('POST', '/video/generations', 400, refusal('no_such_code')).join()).toContain('must be equal to one of the allowed values')
})

test('what a client is answered is what the reference describes, and the client of the tests looks at every answer', async () => {
  const { api } = await openAccount()
  const { faults } = await apiDescription()
  const { status, headers, text } = await api.get('/models')
  expect(faults('GET', '/models', { status, headers, text })).toEqual([])
  expect(faults('GET', '/models', { status, headers, text: text.replace('"family"', '"kin"') }).join()).toContain(
    "must have required property 'family'",
  )
})
