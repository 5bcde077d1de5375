import { afterAll, expect, test } from 'bun:test'
import { oidcClient, startOidcProvider } from '../../testing/oidc-provider'
import type { Browser } from '../../testing/test-browser'
import { goodPassword, signUpPerson, testConsole } from '../../testing/test-console'

const consoleUrl = 'https://console.example.com'
const provider = await startOidcProvider(`${consoleUrl}/auth/callback/oidc`, {
  ada: { email: 'ada@example.com', email_verified: true, name: 'Ada' },
  bob: { email: 'bob@example.com', email_verified: true, name: 'Bob' },
  wes: { email: 'wes@example.com', email_verified: true, name: 'Wes\r\nsee https://evil.example' },
  eve: { email: 'known@example.com', email_verified: true, name: 'Eve' },
  una: { email: 'una@example.com', email_verified: false, name: 'Una' },
  dee: { email: 'dee@denied.example', email_verified: true, name: 'Dee' },
})
const it = await testConsole({ consoleUrl, oidc: { issuer: provider.issuer, ...oidcClient }, deniedDomains: ['denied.example'] })
afterAll(() => Promise.all([it.drop(), provider.stop()]))

/** Submits the button's form and returns the provider's URL. */
async function leave(browser: Browser, path = '/sign-in/oidc'): Promise<URL> {
  const page = await browser.post(path, { next: '/security' })
  expect(page.status).toBe(200)
  return new URL((page.headers.get('refresh') ?? '').replace('0; url=', ''))
}

test('whoever is new has an account opened, and comes back as the same person; with PKCE, state and nonce', async () => {
  const browser = it.browser()
  const url = await leave(browser)
  expect(url.origin).toBe(provider.issuer)
  expect(url.searchParams.get('code_challenge_method')).toBe('S256')
  for (const name of ['state', 'nonce', 'code_challenge']) expect(url.searchParams.get(name)?.length).toBeGreaterThan(20)
  const back = await browser.get(await provider.signIn(url.href, 'ada'))
  expect(back.location).toBe('/security')
  expect((await browser.get('/')).location).toStartWith('/accounts/acc_')
  const again = it.browser()
  await again.get(await provider.signIn((await leave(again)).href, 'ada'))
  expect((await again.get('/')).location).toBe((await browser.get('/')).location)
  expect(await it.sql`select name, email_verified as verified from person where email = 'ada@example.com'`).toEqual([
    { name: 'Ada', verified: true },
  ] as never)
})

test('an answer without the state of this browser, or a second time, signs nobody in', async () => {
  const [victim, attacker] = [it.browser(), it.browser()]
  const path = await provider.signIn((await leave(attacker)).href, 'ada')
  await victim.get(path)
  expect((await victim.get('/')).location).toStartWith('/sign-in')
  await attacker.get(path)
  const second = it.browser()
  await second.get(path)
  expect((await second.get('/')).location).toStartWith('/sign-in')
})

test('the same address elsewhere is not the same person until they connect it themselves', async () => {
  const owner = it.browser()
  await signUpPerson(it, owner, 'known@example.com')
  const eve = it.browser()
  const refused = await eve.get(await provider.signIn((await leave(eve)).href, 'eve'))
  expect(refused.location).toMatch(/^\/sign-in\?error=account_not_linked/)
  expect((await eve.get('/')).location).toStartWith('/sign-in')
  const connected = await owner.get(await provider.signIn((await leave(owner, '/security/oidc/connect')).href, 'eve'))
  expect(connected.location).toBe('/security?done=connected')
  await eve.get(await provider.signIn((await leave(eve)).href, 'eve'))
  expect((await eve.get('/')).location).toBe((await owner.get('/')).location)
  expect((await owner.post('/security/oidc/disconnect')).location).toBe('/security?done=disconnected')
  expect((await it.browser().post('/sign-in', { email: 'known@example.com', password: goodPassword })).status).toBe(303)
})

test('an address that is not confirmed there, or is of a denied domain, signs nobody up', async () => {
  for (const who of ['una', 'dee']) {
    const browser = it.browser()
    const back = await browser.get(await provider.signIn((await leave(browser)).href, who))
    expect(back.location).toMatch(/^\/sign-in\?error=/)
    expect((await browser.get('/')).location).toStartWith('/sign-in')
  }
  expect(await it.sql`select 1 from person where email in ('una@example.com', 'dee@denied.example')`).toHaveLength(0)
})

test('two newcomers of two addresses both have starter credits where one of each address has, and it is noted where they came from', async () => {
  const strict = await testConsole({ consoleUrl, oidc: { issuer: provider.issuer, ...oidcClient }, starters: { startersPerAddress: 1 } })
  try {
    const arrivals = { ada: '198.51.100.1', bob: '198.51.100.2' }
    for (const [who, address] of Object.entries(arrivals)) {
      const browser = strict.browser(address)
      await browser.get(await provider.signIn((await leave(browser)).href, who))
    }
    const openings = await strict.sql<{ email: string; starter: boolean }[]>`
      select email, starter from account_opening join person on person.id = person_id order by email`
    expect([...openings]).toEqual([
      { email: 'ada@example.com', starter: true },
      { email: 'bob@example.com', starter: true },
    ])
    const acts = await strict.sql<{ email: string; address: string }[]>`
      select person_email as email, address from audit_act where act = 'person.signed_in' order by person_email`
    expect([...acts]).toEqual([
      { email: 'ada@example.com', address: arrivals.ada },
      { email: 'bob@example.com', address: arrivals.bob },
    ])
  } finally {
    await strict.drop()
  }
})

test('what the provider calls a person is made a name as the console’s forms take them', async () => {
  const browser = it.browser()
  await browser.get(await provider.signIn((await leave(browser)).href, 'wes'))
  expect([...(await it.sql`select name from person where email = 'wes@example.com'`)]).toEqual([{ name: 'Wes see https evil.example' }])
})
