import { expect, test } from 'bun:test'
import { authorizationServer } from './authorization-server'

const ask = (url: string, consoleUrl?: string) =>
  authorizationServer({ ...(consoleUrl && { consoleUrl }) }).handle(new Request(`${url}/.well-known/oauth-authorization-server`))

test('the metadata names the console’s endpoints, and as the issuer the origin that it is read at', async () => {
  const answer = await ask('http://api.example.com', 'https://console.example.com/')
  expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'no-store'])
  expect(await answer.json()).toEqual({
    issuer: 'https://api.example.com',
    device_authorization_endpoint: 'https://console.example.com/oauth/device/code',
    token_endpoint: 'https://console.example.com/oauth/token',
    grant_types_supported: ['urn:ietf:params:oauth:grant-type:device_code'],
    response_types_supported: [],
    token_endpoint_auth_methods_supported: ['none'],
  })
  const local = await (await ask('http://localhost:4100', 'http://localhost:4106')).json()
  expect(local).toMatchObject({ issuer: 'http://localhost:4100', token_endpoint: 'http://localhost:4106/oauth/token' })
})

test('without a console there is no authorization server', async () => {
  expect((await ask('https://api.example.com')).status).toBe(404)
})
