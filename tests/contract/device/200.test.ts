import { expect, test } from 'bun:test'
import { askForToken, discover, openLogin } from '../../console/people/command-line'
import { signUpByWire } from '../../console/people/sign-up'
import { hiddenIn, newAddress } from '../../console/people/wire'
import { createApi } from '../../support/client/api'
import { consoleOf } from '../../support/client/console'
import { settings } from '../../support/settings'

test('both origins name the same endpoints, each as an issuer of its own', async () => {
  const [api, site] = [new URL(settings.url).origin, settings.consoleUrl]
  const documents = await Promise.all([api, site].map(discover))
  const endpoints = { device_authorization_endpoint: `${site}/oauth/device/code`, token_endpoint: `${site}/oauth/token` }
  expect(documents).toMatchObject([
    { issuer: api, ...endpoints },
    { issuer: site, ...endpoints },
  ])
})

test('a command line that knows the API alone gets a key of the account of whoever approves its code', async () => {
  const { wire, accountId } = await signUpByWire('Dora')
  const address = newAddress()
  const opened = (await openLogin('laptop', address)).body
  expect((await askForToken({ device_code: opened.device_code })).body.error).toBe('authorization_pending')

  const { pathname, search } = new URL(opened.verification_uri_complete)
  const shown = await wire.get(`${pathname}${search}`)
  for (const part of [opened.user_code, '“laptop”', 'Approve only a code that you see in your own terminal.'])
    expect(shown.text).toContain(part)
  const form = { user_code: hiddenIn(shown.text, 'user_code'), account: accountId, name: 'CLI on laptop', expires: 'never', date: '' }
  const approved = await wire.post('/device', { ...form, answer: 'approve' })
  expect([approved.status, approved.location]).toEqual([303, '/device?done=approved'])

  const asked = await Promise.all(Array.from({ length: 8 }, () => askForToken({ device_code: opened.device_code })))
  const [issued, ...more] = asked.filter(({ status }) => status === 200)
  expect([more, asked.filter(({ body }) => body.error === 'invalid_grant').length]).toEqual([[], 7])
  expect(issued?.headers.get('cache-control')).toBe('no-store')
  expect(issued?.body).toEqual({
    access_token: expect.stringMatching(/^sk_live_/),
    token_type: 'Bearer',
    account: { id: accountId, name: expect.any(String) },
  })

  const api = createApi(issued?.body.access_token ?? '')
  expect(JSON.parse((await api.get('/keys/self')).text)).toMatchObject({ name: 'CLI on laptop' })
  const { data } = await consoleOf(accountId).read<{ data: { name: string }[] }>('/keys')
  expect(data.map(({ name }) => name)).toEqual(['CLI on laptop'])
  const { text } = await wire.get(`/accounts/${accountId}/members/log`)
  for (const entry of ['Let a command line have the key “CLI on laptop”', 'Created the key “CLI on laptop”']) expect(text).toContain(entry)
  expect((await wire.post('/device', { ...form, answer: 'approve' })).status).toBe(400)
})
