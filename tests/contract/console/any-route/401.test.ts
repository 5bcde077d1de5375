import { expect, test } from 'bun:test'
import { openAccount } from '../../../support/client/account'
import { askConsole, internalRoutes } from '../../../support/client/console'
import { expectError } from '../../../support/client/errors'
import { settings } from '../../../support/settings'

const pathOf = (path: string, accountId: string, rest = 'x') => path.replace(':id', accountId).replaceAll(/:\w+/g, rest)

test('no other token is accepted, wherever else it is, and the reference doesn’t name it', async () => {
  const { accountId, apiKey } = await openAccount({ credits: 0 })
  const routes = await internalRoutes()
  expect(routes.length).toBeGreaterThan(15)
  for (const { method, path } of routes)
    for (const token of [apiKey, settings.operatorToken, 'wrong'])
      expectError(await askConsole(method, pathOf(path, accountId), { token }), 401, 'console_token_required')
  const description = await (await fetch(new URL('/openapi.json', settings.url))).text()
  for (const word of ['/console', 'console_token_required', 'account_closed']) expect(description).not.toContain(word)
})

test('what no row can hold is refused by every route, in its path and in its body', async () => {
  const { accountId } = await openAccount({ credits: 0 })
  for (const { method, path } of await internalRoutes()) {
    for (const hostile of ['%00', 'a%00b', '%E2%80%8F', '%zz', 'x'.repeat(300)]) {
      const asked = path.split(':').length > 2 ? pathOf(path, accountId, hostile) : pathOf(path, hostile)
      if (!path.includes(':')) continue
      const { status, text } = await askConsole(method, asked, { ...(method !== 'GET' && { body: {} }) })
      expect({ method, asked, status, text }).toMatchObject({ status: 400, text: expect.stringContaining('"error"') })
    }
    if (method === 'GET' || method === 'DELETE') continue
    for (const name of ['a\u0000', '\ud800', '\u001b[2J']) {
      const { status } = await askConsole(method, pathOf(path, accountId), {
        body: { name, reason: name, credits: 1, balance: 'paid', prompt: name },
      })
      expect({ method, path, ok: status === 400 || /\/(starter-credits|rotate|test|resume)$/.test(path) }).toEqual({
        method,
        path,
        ok: true,
      })
    }
  }
})
