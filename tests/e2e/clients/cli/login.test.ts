import { expect, test } from 'bun:test'
import { readFileSync, statSync } from 'node:fs'
import { signUpByWire } from '../../../console/people/sign-up'
import { hiddenIn } from '../../../console/people/wire'
import { openAccount } from '../../../support/client/account'
import { settings } from '../../../support/settings'
import { type Intercept, openFront } from './front'
import { jsonOf, listenTo, newHome } from './program'

const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code'

/** A console before the gateway that answers the polls one after another, and what it was asked. */
function consoleThat(polls: object[]) {
  const asked: Record<string, string>[] = []
  const intercept: Intercept = request => {
    const { origin, pathname } = new URL(request.url)
    if (pathname === '/.well-known/oauth-authorization-server')
      return answer({ issuer: origin, device_authorization_endpoint: `${origin}/oauth/device`, token_endpoint: `${origin}/oauth/token` })
    if (!pathname.startsWith('/oauth/')) return undefined
    return request.text().then(text => {
      asked.push(Object.fromEntries(new URLSearchParams(text)))
      if (pathname === '/oauth/device')
        return answer({
          ...{ device_code: 'the-device-code', user_code: 'BCDF-GHJK', expires_in: 60, interval: 0.2 },
          ...{ verification_uri: `${origin}/device`, verification_uri_complete: `${origin}/device?user_code=BCDF-GHJK` },
        })
      const next = polls.shift() ?? { error: 'authorization_pending' }
      return answer(next, 'access_token' in next ? 200 : 400)
    })
  }
  return { asked, intercept }
}

const answer = async (body: object, status = 200) => Response.json(body, { status })
const config = '.config/filmgate/config.json'

test.concurrent('login shows the address and the code, waits for the approval, and the key works from then on', async () => {
  const { apiKey } = await openAccount({ credits: 7 })
  const { asked, intercept } = consoleThat([
    { error: 'authorization_pending' },
    { access_token: apiKey, token_type: 'Bearer', account: { id: 'acct_1', name: 'Studio' } },
  ])
  using front = openFront(intercept)
  const home = newHome()
  const { exit, out, err } = await home.run(['login'], { url: front.url })
  expect([exit, out]).toEqual([0, `Signed in to ${front.url} for Studio.\n`])
  expect(err).toContain(`Open    ${front.origin}/device\nEnter   BCDF-GHJK\n`)
  expect(out + err).not.toContain(apiKey)
  expect(asked).toMatchObject([
    { client_id: 'filmgate-cli' },
    ...Array(2).fill({ grant_type: deviceGrant, device_code: 'the-device-code' }),
  ])
  expect(JSON.parse(readFileSync(home.path(config), 'utf8'))).toEqual({ url: front.url, key: apiKey, account: 'Studio' })
  expect([statSync(home.path(config)).mode & 0o777, statSync(home.path('.config/filmgate')).mode & 0o777]).toEqual([0o600, 0o700])
  const stored = { environment: { FILMGATE_URL: '' } }
  expect((await home.run(['credits'], stored)).out).toBe('7\n')
  expect(jsonOf(await home.run(['whoami', '--json'], stored))).toMatchObject({ url: front.url, account: 'Studio', key_from: 'config' })
  // The stored key goes to no other address.
  expect((await home.run(['credits'])).exit).toBe(4)
  expect((await home.run(['logout'])).out).toContain('deleted from this machine')
  expect((await home.run(['credits'], stored)).exit).toBe(4)
})

test.concurrent('login through the real console: whoever approves the code gives this machine a key of their account', async () => {
  const { wire, accountId } = await signUpByWire('Lina')
  const home = newHome()
  const child = home.start(['login'])
  const output = await listenTo(child.stderr).until('Waiting for your approval')
  const { pathname, search } = new URL(/or open (\S+)/.exec(output)?.[1] ?? '')
  const { text } = await wire.get(`${pathname}${search}`)
  expect(text).toContain(/Enter {3}(\S+)/.exec(output)?.[1] ?? 'no code')
  const form = { user_code: hiddenIn(text, 'user_code'), account: accountId, name: 'CLI on laptop', expires: 'never', date: '' }
  expect((await wire.post('/device', { ...form, answer: 'approve' })).status).toBe(303)
  expect([await child.exited, await child.stdout.text()]).toEqual([0, expect.stringContaining(`Signed in to ${settings.url} for `)])
  const stored = { environment: { FILMGATE_URL: '' } }
  expect(jsonOf(await home.run(['whoami', '--json'], stored))).toMatchObject({
    name: 'CLI on laptop',
    key_from: 'config',
    url: settings.url,
  })
})

test.concurrent.each([
  ['refused', { error: 'access_denied', error_description: 'The request was denied.' }, 4, 'access_denied'],
  ['expired', { error: 'expired_token' }, 4, 'expired_token'],
  ['already used', { error: 'invalid_grant', error_description: 'The device code was used.' }, 1, 'invalid_grant'],
])('a sign-in that is %s keeps nothing', async (_what, poll, exit, code) => {
  using front = openFront(consoleThat([poll]).intercept)
  const home = newHome()
  const ended = await home.run(['login', '--json'], { url: front.url })
  const [prompt, error] = ended.out
    .trim()
    .split('\n')
    .map(line => JSON.parse(line))
  expect([ended.exit, prompt.user_code, error.error.code]).toEqual([exit, 'BCDF-GHJK', code])
  expect((await home.run(['whoami'])).exit).toBe(4)
})

test.concurrent('Ctrl-C while it waits ends it with 130', async () => {
  using front = openFront(consoleThat([]).intercept)
  const child = newHome().start(['login'], { url: front.url })
  await listenTo(child.stderr).until('Waiting for your approval')
  child.kill('SIGINT')
  expect(await child.exited).toBe(130)
})

test.concurrent('a key from stdin is kept if it works, and not if it does not', async () => {
  const { apiKey } = await openAccount()
  const home = newHome()
  expect((await home.run(['login', '--with-key', '--json'], { stdin: 'sk_live_wrong_wrong_wrong\n' })).exit).toBe(4)
  expect((await home.run(['whoami'])).exit).toBe(4)
  expect(jsonOf(await home.run(['login', '--with-key', '--json'], { stdin: `${apiKey}\n` }))).toMatchObject({ prefix: expect.any(String) })
  expect((await home.run(['credits'], { environment: { FILMGATE_URL: '' } })).exit).toBe(0)
})
