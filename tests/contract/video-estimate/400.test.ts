import { expect, test } from 'bun:test'
import { allCases } from '../../catalog/cases/model-cases'
import { openAccount } from '../../support/client/account'
import { expectError } from '../../support/client/errors'
import { smallRequest } from '../../support/client/request'

const json = { 'content-type': 'application/json' }

test('a body is refused as a generation would be', async () => {
  const { api } = await openAccount()
  const send = (body: string, headers: Record<string, string> = json) => api.send('POST', '/video/estimate', { headers, body })
  expectError(await send('{"prompt":'), 400, 'invalid_json')
  expectError(await send('{}', { 'content-type': 'text/plain' }), 400, 'invalid_content_type')
  expectError(await send('{}'), 400, 'invalid_request')
  expectError(await send(JSON.stringify(smallRequest({ seed: 1 }))), 400, 'unsupported_field')
  expectError(await send(JSON.stringify(smallRequest({ model: 'alpha-h4' }))), 400, 'unknown_model')
})

test('a rule is told in a sentence, at its field', async () => {
  const { api } = await openAccount()
  const body = JSON.stringify({ model: 'kappa-2.3', prompt: 'a boat', resolution: '1080p', duration: 10 })
  const details = expectError(await api.send('POST', '/video/estimate', { headers: json, body }), 400, 'invalid_request')
  expect(details).toEqual({
    issues: [{ path: 'duration', rule: 'duration_at_1080p', message: 'duration must be 6 when resolution is 1080p' }],
  })
})

test('a sample of the catalog’s cases: what a model does not take is refused at its field', async () => {
  const { api } = await openAccount()
  const sample = allCases().flatMap((each, index) => (index % 80 === 1 && !each.accepted ? [each] : []))
  expect(sample.length).toBeGreaterThan(10)
  for (const each of sample) {
    const answer = await api.send('POST', '/video/estimate', { headers: json, body: JSON.stringify(each.body) })
    const { issues } = expectError(answer, 400, each.code) as { issues: { path: string }[] }
    expect({ name: each.name, paths: issues.map(({ path }) => path) }).toEqual({
      name: each.name,
      paths: expect.arrayContaining([each.path]),
    })
  }
})

test('a key that stands twice is refused and named, at any depth', async () => {
  const { api } = await openAccount()
  for (const [body, path] of [
    ['{"prompt":"a","prompt":"a"}', 'prompt'],
    ['{"prompt":"a","x":{"y":[{"z":1,"z":1}]}}', 'x.y[0].z'],
  ] as const) {
    const details = expectError(await api.postText('/video/estimate', body), 400, 'invalid_json')
    expect(details).toMatchObject({ issues: [{ path, rule: 'unique_key' }] })
  }
})

test('what has no canonical form is refused as a fault of shape, as a generation would be', async () => {
  const { api } = await openAccount()
  for (const field of ['"prompt":"\\ud800"', '"prompt":"a","duration":1e400'])
    for (const path of ['/video/estimate', '/video/generations'] as const)
      expectError(await api.postText(path, `{"model":"beta-2.5",${field}}`), 400, 'invalid_request')
})
