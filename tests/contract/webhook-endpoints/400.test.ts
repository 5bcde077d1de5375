import { expect, test } from 'bun:test'
import { openAccount } from '../../support/client/account'
import { expectError } from '../../support/client/errors'

test('a body that no endpoint can have, and a query that no page has, are refused with every fault', async () => {
  const { api } = await openAccount({ credits: 0 })
  const send = (method: string, path: string, body?: object) =>
    api.send(method, `/webhook-endpoints${path}`, {
      headers: body ? { 'content-type': 'application/json' } : {},
      ...(body && { body: JSON.stringify(body) }),
    })
  for (const [method, path, body, fault] of [
    ['POST', '', {}, 'url'],
    ['POST', '', { url: 'https://example.com', secret: 'mine' }, 'secret'],
    ['POST', '', { url: 'https://example.com', events: ['task.started'] }, 'events.0'],
    ['PATCH', '/whe_1', { status: 'active' }, 'status'],
    ['POST', '/whe_1/replay', { delivery_id: 'a b' }, 'delivery_id'],
    ['GET', '/whe_1/deliveries?limit=0', undefined, 'limit'],
    ['GET', '/whe_1/deliveries?account=acct_1', undefined, 'account'],
  ] as const) {
    const answer = await send(method, path, body)
    const { issues } = expectError(answer, 400, 'invalid_request') as { issues: { path: string }[] }
    expect([path, issues.map(issue => issue.path)]).toEqual([path, expect.arrayContaining([fault])])
    expect(answer.body.error?.message).not.toContain('model')
  }
})

test('a body that is no JSON is refused before anything is asked', async () => {
  const { api } = await openAccount({ credits: 0 })
  const headers = { 'content-type': 'application/json' }
  expectError(await api.send('POST', '/webhook-endpoints', { headers, body: '{' }), 400, 'invalid_json')
  expectError(
    await api.send('POST', '/webhook-endpoints', { headers: { 'content-type': 'text/plain' }, body: '{}' }),
    400,
    'invalid_content_type',
  )
})
