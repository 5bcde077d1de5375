import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { KeyView } from '../gateway/gateway'
import { newFormId } from '../http/submit-once'
import { refusal } from '../testing/fake-gateway'
import { hiddenField, openConsole, type TestConsole } from '../testing/open-console'
import { ownersOnly, readers, whoMay } from '../testing/who-may'
import { keys } from './routes'

let site: TestConsole
beforeAll(async () => {
  site = await openConsole(keys)
})
afterAll(() => site.close())

const secret = 'sk_live_k1_TheSecretThatIsShownOnce'
const key: KeyView = {
  key_id: 'k1',
  name: 'Website <b>',
  prefix: 'sk_live_k1',
  created_at: '2026-11-01T10:00:00.000Z',
  created_by: 'owen@example.com',
  last_used_at: null,
  expires_at: null,
  revoked_at: null,
}

/** An account with these keys, and with these responses to creation and rotation. */
async function accountWith(...data: KeyView[]) {
  const account = await site.newAccount()
  const path = `/accounts/${account.id}/keys`
  site.gateway.on(`GET ${path}`, { data })
  site.gateway.on(`POST ${path}`, { key_id: 'k1', api_key: secret })
  site.gateway.on(`POST ${path}/k1/rotate`, { key_id: 'k1', api_key: secret })
  site.gateway.on(`PATCH ${path}/k1`, { key_id: 'k1' })
  site.gateway.on(`DELETE ${path}/k1`, { key_id: 'k1', revoked: true })
  const sent = (method: string) => site.gateway.seen.filter(seen => seen.method === method && seen.path.startsWith(path))
  return { ...account, sent }
}
const newKey = (fields: object = {}) => ({ form: newFormId(), name: 'Website', expires: 'never', date: '', ...fields })

test('who may see, create, rotate and revoke keys', async () => {
  const account = await accountWith(key)
  expect(await whoMay(site, account, '/keys')).toEqual(readers())
  expect(await whoMay(site, account, '/keys', newKey)).toEqual(ownersOnly(200))
  for (const act of ['restrict', 'rotate', 'revoke']) expect(await whoMay(site, account, `/keys/k1/${act}`)).toEqual(ownersOnly(200))
  expect(await whoMay(site, account, '/keys/k1/rotate', () => ({ form: newFormId() }))).toEqual(ownersOnly(200))
  expect(await whoMay(site, account, '/keys/k1/restrict', () => ({ models: 'alpha-h3' }))).toEqual(ownersOnly(303))
  expect(account.sent('PATCH')).toHaveLength(1)
  expect(await whoMay(site, account, '/keys/k1/revoke', () => ({}))).toEqual(ownersOnly(303))
  expect(account.sent('POST')).toHaveLength(2)
  expect(account.sent('DELETE')).toHaveLength(1)
})

test('a key is restricted to models and addresses, and an empty field lifts that; what the gateway refuses stands at its field', async () => {
  const account = await accountWith({ ...key, models: ['alpha-h3'], addresses: ['203.0.113.0/24'] })
  const at = `${account.path}/keys`
  const { text: listed } = await site.ask(account.viewer, at)
  for (const part of ['only alpha-h3', 'only from 203.0.113.0/24']) expect(listed).toContain(part)
  expect((await site.ask(account.owner, `${at}/k1/restrict`)).text).toContain('value="203.0.113.0/24"')
  const saved = await site.ask(account.owner, `${at}/k1/restrict`, { form: { models: 'alpha-h3, beta-2.5', addresses: '' } })
  expect([saved.status, saved.location]).toEqual([303, expect.stringContaining('done=restricted')])
  expect(account.sent('PATCH').map(({ body }) => body)).toEqual([{ models: ['alpha-h3', 'beta-2.5'], addresses: null }])
  const issues = [{ path: 'addresses[0]', rule: 'address_range', message: '"<b>" is no range' }]
  site.gateway.on(`PATCH /accounts/${account.id}/keys/k1`, () =>
    Response.json({ error: { code: 'invalid_request', message: 'no', details: { issues } } }, { status: 400 }),
  )
  const refused = await site.ask(account.owner, `${at}/k1/restrict`, { form: { models: '', addresses: '<b>' } })
  expect([refused.status, refused.text.includes('&quot;&lt;b&gt;&quot; is no range')]).toEqual([400, true])
})

test('a key is made or rotated only after a sign-in of the last quarter of an hour; it is revoked after any', async () => {
  const account = await accountWith(key)
  await site.rest(account.owner.id)
  const at = `${account.path}/keys`
  const asked = [
    await site.ask(account.owner, at, { form: newKey() }),
    await site.ask(account.owner, `${at}/k1/rotate`),
    await site.ask(account.owner, `${at}/k1/rotate`, { form: { form: newFormId() } }),
  ]
  for (const { status, location } of asked) expect([status, location]).toEqual([303, expect.stringContaining('/security/confirm?next=')])
  expect([account.sent('POST'), await site.acts(account.id)]).toEqual([[], []])
  expect((await site.ask(account.owner, `${at}/k1/revoke`, { form: {} })).location).toContain('done=revoked')
})

test('an account makes and rotates only so many keys an hour', async () => {
  const account = await accountWith(key)
  const at = `${account.path}/keys`
  const statuses: number[] = []
  for (let count = 0; count < 15; count++) {
    statuses.push((await site.ask(account.owner, at, { form: newKey() })).status)
    statuses.push((await site.ask(account.owner, `${at}/k1/rotate`, { form: { form: newFormId() } })).status)
  }
  expect(new Set(statuses)).toEqual(new Set([200]))
  expect((await site.ask(account.owner, at, { form: newKey() })).status).toBe(429)
  expect((await site.ask(account.owner, `${at}/k1/rotate`, { form: { form: newFormId() } })).status).toBe(429)
  expect(account.sent('POST')).toHaveLength(30)
})

test('members and viewers see the list without what owners do', async () => {
  const account = await accountWith(key)
  const owned = await site.ask(account.owner, `${account.path}/keys`)
  expect(owned.text).toContain('Website &lt;b&gt;')
  expect(owned.text).toContain(`${account.path}/keys/k1/revoke`)
  for (const visitor of [account.member, account.viewer]) {
    const { text } = await site.ask(visitor, `${account.path}/keys`)
    expect(text).toContain('sk_live_k1…')
    expect(text).not.toContain('/k1/re')
    expect(text).not.toContain('<form class="panel"')
  }
})

test('a secret is in the answer of its creation alone, which nobody keeps and which is not repeated', async () => {
  const account = await accountWith(key)
  const page = await site.ask(account.owner, `${account.path}/keys`)
  const form = newKey({ form: hiddenField(page.text, 'form'), expires: '30' })
  const made = await site.ask(account.owner, `${account.path}/keys`, { form })
  expect(made.text).toContain(secret)
  const again = await site.ask(account.owner, `${account.path}/keys`, { form })
  expect([again.status, again.text.includes(secret)]).toEqual([409, false])
  expect((await site.ask(account.owner, `${account.path}/keys`)).text).not.toContain(secret)

  const bodies = account.sent('POST').map(({ body }) => body as { name: string; expires_at: string })
  const daysLeft = bodies.map(({ name, expires_at }) => [name, Math.round((Date.parse(expires_at) - Date.now()) / 86_400_000)])
  expect(daysLeft).toEqual([['Website', 30]])
  expect(account.sent('POST')[0]).toMatchObject({
    person: account.owner.id,
    operator: account.owner.email,
  })
  const [act, ...more] = await site.acts(account.id)
  expect(more).toEqual([])
  expect(act).toMatchObject({ act: 'key.created', subject: 'k1', email: account.owner.email })
  expect(JSON.stringify(act)).not.toContain(secret)
})

test('a form that cannot be taken says what to mend and asks nothing of the gateway', async () => {
  const account = await accountWith()
  const wrong = [
    newKey({ name: ' ' }),
    newKey({ name: 'x'.repeat(101) }),
    newKey({ expires: 'soon' }),
    ...['', '2026-02-30', '2001-01-01', '2999-01-01', 'x'].map(date => newKey({ expires: 'date', date })),
  ]
  for (const form of wrong) {
    const { status, text } = await site.ask(account.owner, `${account.path}/keys`, { form })
    expect([form, status, text.includes('aria-invalid="true"')]).toEqual([form, 400, true])
  }
  expect((await site.ask(account.owner, `${account.path}/keys`, { form: newKey({ form: 'x' }) })).status).toBe(400)
  expect(account.sent('POST')).toEqual([])
  expect(await site.acts(account.id)).toEqual([])
})

test('what the gateway refuses is said, and the form may be sent again', async () => {
  const account = await accountWith()
  site.gateway.on(`POST /accounts/${account.id}/keys`, () => refusal(409, 'too_many_keys', 'An account has at most 20 keys that work.'))
  const { status, text } = await site.ask(account.owner, `${account.path}/keys`, { form: newKey() })
  expect([status, text.includes('at most 20 keys'), text.includes('value="Website"')]).toEqual([409, true, true])
  site.gateway.on(`POST /accounts/${account.id}/keys`, { key_id: 'k2', api_key: secret })
  const again = await site.ask(account.owner, `${account.path}/keys`, { form: newKey({ form: hiddenField(text, 'form') }) })
  expect(again.text).toContain(secret)
  expect(await site.acts(account.id)).toMatchObject([{ act: 'key.created', subject: 'k2' }])
})

test('where no answer comes it is said that a key may have been made', async () => {
  const account = await accountWith()
  site.gateway.on(`POST /accounts/${account.id}/keys`, () => refusal(503, 'service_unavailable'))
  const { status, text } = await site.ask(account.owner, `${account.path}/keys`, { form: newKey() })
  expect([status, text.includes('the outcome is unknown')]).toEqual([503, true])
})

test('a rotation shows the other secret once and until when the former works', async () => {
  const account = await accountWith(key)
  const until = new Date(Date.now() + 3_600_000).toISOString()
  site.gateway.on(`POST /accounts/${account.id}/keys/k1/rotate`, { key_id: 'k1', api_key: secret, former_until: until })
  const form = { form: newFormId() }
  const { text } = await site.ask(account.owner, `${account.path}/keys/k1/rotate`, { form })
  expect(text).toContain(secret)
  expect(text).toContain(`datetime="${until}"`)
  expect((await site.ask(account.owner, `${account.path}/keys/k1/rotate`, { form })).status).toBe(409)
  expect(account.sent('POST')).toHaveLength(1)
  expect(await site.acts(account.id)).toMatchObject([{ act: 'key.rotated', subject: 'k1' }])
})

test('a key that is revoked, expired or another account’s is not there to rotate or revoke', async () => {
  const past = '2026-11-02T10:00:00.000Z'
  const account = await accountWith({ ...key, key_id: 'k2', revoked_at: past }, { ...key, key_id: 'k3', expires_at: past })
  for (const id of ['k1', 'k2', 'k3'])
    for (const act of ['rotate', 'revoke'])
      expect((await site.ask(account.owner, `${account.path}/keys/${id}/${act}`, { form: { form: newFormId() } })).status).toBe(404)
  expect([...account.sent('POST'), ...account.sent('DELETE')]).toEqual([])
  const { text } = await site.ask(account.owner, `${account.path}/keys`)
  expect([text.includes('>revoked<'), text.includes('>expired<')]).toEqual([true, true])
})

test('a revocation is asked of the gateway and kept with who did it', async () => {
  const account = await accountWith(key)
  const { location } = await site.ask(account.owner, `${account.path}/keys/k1/revoke`, { form: {} })
  expect(location).toBe(`${account.path}/keys?done=revoked`)
  expect(account.sent('DELETE')).toMatchObject([{ person: account.owner.id, operator: account.owner.email }])
  expect(await site.acts(account.id)).toMatchObject([{ act: 'key.revoked', subject: 'k1', details: { name: 'Website <b>' } }])
  expect((await site.ask(account.owner, location ?? '')).text).toContain('The key is revoked.')
})

test('a new key comes with its settings and commands to copy; a rotated one with its secret alone', async () => {
  const account = await accountWith(key)
  const { text } = await site.ask(account.owner, `${account.path}/keys`, { form: newKey() })
  for (const part of [
    `export FILMGATE_URL=https://api.example.com/api/v1\nexport FILMGATE_API_KEY=${secret}`,
    'npx filmgate generate',
    'curl &quot;$FILMGATE_URL/video/generations&quot;',
  ])
    expect(text).toContain(part)
  // Whatever shows the secret is removed when the page is left.
  const holders = text.split(/<(?:p|div) /).filter(part => part.includes(secret))
  expect(holders.map(part => /^[^>]*data-secret/.test(part))).toEqual([true, true])
  for (const id of ['secret', 'settings', 'command', 'request'])
    expect([text.split(`id="${id}"`).length, text.split(`data-copy="${id}"`).length]).toEqual([2, 2])
  const rotated = await site.ask(account.owner, `${account.path}/keys/k1/rotate`, { form: { form: newFormId() } })
  expect([rotated.text.split(secret).length - 1, rotated.text.includes('npx filmgate')]).toEqual([1, false])
})

test('/keys leads to the keys of an account that the person owns, else of one they belong to, else to their accounts', async () => {
  const [other, account] = [await site.newAccount(), await site.newAccount()]
  const led = async (visitor?: { id: string }) => (await site.ask(visitor, '/keys')).location
  expect(await led(account.viewer)).toBe(`${account.path}/keys`)
  await site.join(other.id, account.owner.id, 'viewer')
  expect(await led(account.owner)).toBe(`${account.path}/keys`)
  expect(await led(account.stranger)).toBe('/accounts')
  expect(await led()).toBe('/sign-in?next=%2Fkeys')
})
