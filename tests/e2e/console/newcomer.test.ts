import { expect, test } from 'bun:test'
import { password, signUpByWire } from '../../console/people/sign-up'
import { hiddenIn, openWire } from '../../console/people/wire'
import { createApi } from '../../support/client/api'
import { consoleOf } from '../../support/client/console'
import { ownWords } from '../../support/client/request'
import { until } from '../../support/until'

const model = 'alpha-h3'
/** Promised within 5 s; a busy machine may take longer. */
const revokedWithinMs = 15_000

test('a newcomer signs up, makes a video with starter credits, and a key that stops when it is revoked', async () => {
  const { wire, accountId, email } = await signUpByWire('Nora')
  const at = (path: string) => `/accounts/${accountId}${path}`
  expect((await wire.get(at(''))).text).toContain('Starter credits')

  const asked = { model, mode: 'text-to-video', prompt: ownWords(), duration: '4', resolution: '768p', aspect_ratio: '16:9' }
  const script = { accept: 'application/json' }
  const { price } = JSON.parse((await wire.post(at('/playground/estimate'), asked, script)).text) as { price: string }
  expect(price).toMatch(/Starter credits after<\/dt><dd>\d+/)
  const form = hiddenIn((await wire.get(at(`/playground?model=${model}`))).text, 'form')
  const made = await wire.post(at('/playground'), { ...asked, form })
  expect([made.status, made.location?.startsWith(at('/tasks/'))]).toEqual([303, true])
  // The same form sent again leads to the same task.
  expect((await wire.post(at('/playground'), { ...asked, form })).location).toBe(made.location)
  await consoleOf(accountId).taskOnce(made.location?.split('/').at(-1) ?? '')
  expect((await wire.get(made.location ?? '')).text).toContain('<video')

  const keyForm = hiddenIn((await wire.get(at('/keys'))).text, 'form')
  const shown = (await wire.post(at('/keys'), { form: keyForm, name: 'Website', expires: 'never', date: '' })).text
  const secret = /sk_live_\w+/.exec(shown)?.[0] ?? ''
  const keys = (await wire.get(at('/keys'))).text
  expect([secret.length > 40, keys.includes('Website'), keys.includes(secret)]).toEqual([true, true, false])
  const api = createApi(secret)
  // Starter credits fund nothing that a key asks for.
  expect((await api.generate({ model, prompt: ownWords(), duration: 4, resolution: '768p' })).status).toBe(402)
  expect(await api.credits()).toBe(0)
  expect((await wire.get(at('/usage'))).text).toContain(model)

  const revoke = /href="([^"]+\/revoke)"/.exec(keys)?.[1] ?? ''
  const revokedAt = Date.now()
  expect((await wire.post(revoke)).status).toBe(303)
  await until('the revoked key to be refused', async () => (await api.get('/credits')).status === 401, revokedWithinMs)
  expect(Date.now() - revokedAt).toBeLessThanOrEqual(revokedWithinMs)

  const other = openWire()
  expect((await other.post('/sign-in', { email, password, next: '//evil.example' })).location).toBe('/')
  expect((await other.post('/sign-out')).status).toBe(303)
  expect((await other.get(at(''))).location).toStartWith('/sign-in')
}, 120_000)
