import { expect } from 'bun:test'
import type { Browser } from './test-browser'
import { goodPassword } from './test-console'
import { totpAt } from './totp'

/** Enables authenticator codes. Returns the secret and the backup codes; the code of this moment is unused. */
export async function enableTotp(browser: Browser): Promise<{ secret: string; backup: string[] }> {
  const started = await browser.post('/security/codes/start', { password: goodPassword })
  const [, secret = ''] = /id="totp-secret">([^<]+)/.exec(started.text) ?? []
  expect(started.text).toContain('<svg id="totp-qr"')
  const wrong = await browser.post('/security/codes/confirm', { uri: '', code: '000000' })
  expect(wrong.status).toBe(400)
  const confirm = () => browser.post('/security/codes/confirm', { uri: '', code: totpAt(secret, Date.now() - 30_000) })
  const first = await confirm()
  // The code of 30 s ago is good until this moment's ends, which may be while the request is on its way.
  const shown = first.status === 400 ? await confirm() : first
  expect(shown.status).toBe(200)
  const [, backup = ''] = /id="backup-codes">([^<]+)/.exec(shown.text) ?? []
  return { secret, backup: backup.split('\n') }
}
