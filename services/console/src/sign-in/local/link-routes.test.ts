import { afterAll, expect, test } from 'bun:test'
import { readConfig } from '../../config'
import { consoleToken, testConsole } from '../../testing/test-console'

const on = await testConsole({ signInLinks: true })
const off = await testConsole()
afterAll(() => Promise.all([on.drop(), off.drop()]))

const body = { email: 'dev@filmgate.localhost', name: 'Developer', account_id: 'acct_1', account_name: 'Quick start' }
const ask = ({ handle, consoleUrl }: typeof on, token: string) =>
  handle(
    new Request(`${consoleUrl}/sign-in/links`, {
      method: 'POST',
      headers: { origin: consoleUrl, authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }),
  )

test('the link signs the newcomer in once, as the owner of the account that is there', async () => {
  for (const turn of [1, 2]) {
    const { pathname, search } = new URL(((await (await ask(on, consoleToken)).json()) as { url: string }).url)
    const browser = on.browser()
    expect([turn, (await browser.get(`${pathname}${search}`)).location]).toEqual([turn, '/'])
    expect((await browser.get('/')).location).toBe('/accounts/acct_1')
    expect((await on.browser().get(`${pathname}${search}`)).status).toBe(410)
  }
  expect(await on.sql`select 1 from account_opening where account_id = 'acct_1'`).toHaveLength(1)
})

test('without the token, and where it isn’t turned on, there is no such address', async () => {
  expect((await ask(on, 'another-token-of-24-characters')).status).toBe(404)
  expect((await ask(off, consoleToken)).status).toBe(404)
  expect((await off.browser().get('/sign-in/link?token=x')).status).toBe(404)
})

test('outside development nothing turns it on', () => {
  const env = {
    DATABASE_URL: 'postgres://u:p@h/d',
    FILMGATE_CONSOLE_URL: 'https://console.example.com',
    FILMGATE_GATEWAY_URL: 'http://gateway',
    FILMGATE_LEDGER_URL: 'http://ledger',
    FILMGATE_DISPATCHER_URL: 'http://dispatcher',
    FILMGATE_MEDIA_PROBE_URL: 'http://media-probe',
    FILMGATE_API_URL: 'https://api.example.com/api/v1',
    FILMGATE_CONSOLE_TOKEN: consoleToken,
    FILMGATE_CONSOLE_SECRET: 'a-secret-of-at-least-32-characters',
    FILMGATE_SIGN_IN_LINKS: '1',
  }
  expect(() => readConfig(env)).toThrow('FILMGATE_SIGN_IN_LINKS')
  expect(readConfig({ ...env, FILMGATE_DEVELOPMENT: '1' }).signInLinks).toBe(true)
})
