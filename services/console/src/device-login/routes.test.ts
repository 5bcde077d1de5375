import { afterAll, beforeAll, expect, test } from 'bun:test'
import { hiddenField } from '../testing/open-console'
import { type DeviceConsole, openDeviceConsole, secret } from './testing/device-console'

let site: DeviceConsole
beforeAll(async () => {
  site = await openDeviceConsole()
})
afterAll(() => site.close())

test('the owner types the code, sees what asks, and approves: the caller gets one key of that account, once', async () => {
  const account = await site.newAccount('Northern <b>')
  const { device_code, user_code } = await site.open('studio', { address: '198.51.100.9' })
  expect((await site.poll(device_code)).body.error).toBe('authorization_pending')

  const page = await site.ask(account.owner, `/device?user_code=${user_code.toLowerCase()}`)
  for (const part of [
    user_code,
    '“studio”',
    'not verified',
    '198.51.100.9',
    'not the network of this browser',
    'Northern &lt;b&gt;',
    'value="CLI on studio"',
  ])
    expect(page.text).toContain(part)
  expect(hiddenField(page.text, 'user_code')).toBe(user_code)
  const done = await site.approve(account, user_code, { expires: '30' })
  expect([done.status, done.location]).toEqual([303, '/device?done=approved'])
  expect((await site.ask(account.owner, done.location ?? '')).text).toContain('Go back to your terminal')
  // No key is made before its caller takes it.
  expect(account.made()).toEqual([])

  const { status, headers, body } = await site.poll(device_code, { address: '198.51.100.9' })
  expect([status, headers.get('cache-control'), headers.get('pragma')]).toEqual([200, 'no-store', 'no-cache'])
  const { expires_in, ...rest } = body
  expect(rest).toEqual({
    access_token: secret,
    token_type: 'Bearer',
    account: { id: account.id, name: 'Northern <b>' } as unknown as string,
  })
  expect(Math.round(Number(expires_in) / 86_400)).toBe(30)
  expect(account.made()).toMatchObject([{ person: account.owner.id, operator: account.owner.email, body: { name: 'CLI on studio' } }])

  expect([(await site.poll(device_code)).body.error, (await site.poll(device_code)).status]).toEqual(['invalid_grant', 400])
  expect((await site.approve(account, user_code)).status).toBe(400)
  expect(account.made()).toHaveLength(1)
  expect(await site.acts(account.id)).toMatchObject([
    {
      act: 'device_login.approved',
      email: account.owner.email,
      details: { name: 'CLI on studio', device: 'studio', device_address: '198.51.100.9' },
    },
    { act: 'key.created', subject: 'k1', email: account.owner.email, details: { name: 'CLI on studio' } },
  ])
  const rows = await site.sql<{ row: string }[]>`
    select audit_act::text as row from audit_act union all select device_login::text from device_login`
  expect(rows.filter(({ row }) => row.includes(secret))).toEqual([])
})

test('only owners of an account approve for it; a foreign account is answered like an unknown one', async () => {
  const [account, other] = [await site.newAccount(), await site.newAccount()]
  const { device_code, user_code } = await site.open()
  const ask = (visitor: { id: string } | undefined, fields = {}) =>
    site.ask(visitor, '/device', site.answerForm(account, user_code, fields))
  const statuses = [await ask(account.viewer), await ask(account.member), await ask(account.stranger), await ask(undefined)].map(
    ({ status }) => status,
  )
  expect(statuses).toEqual([403, 403, 404, 303])
  const [foreign, unknown] = [await ask(account.owner, { account: other.id }), await ask(account.owner, { account: 'none' })]
  expect([foreign.status, unknown.status, foreign.text === unknown.text]).toEqual([404, 404, true])
  expect((await site.poll(device_code)).body.error).toBe('authorization_pending')
  const { text } = await site.ask(account.member, `/device?user_code=${user_code}`)
  expect([
    text.includes('Only owners of an account can create keys'),
    text.includes('value="approve"'),
    text.includes('value="deny"'),
  ]).toEqual([true, false, true])
  expect((await site.ask(account.owner, `/device?user_code=${user_code}`)).text).not.toContain(other.id)
})

test('who is signed out is led to the sign-in and back with the code; a key needs a recent sign-in', async () => {
  const account = await site.newAccount()
  const { user_code } = await site.open()
  const path = `/device?user_code=${user_code}`
  expect((await site.ask(undefined, path)).location).toBe(`/sign-in?next=${encodeURIComponent(path)}`)
  await site.rest(account.owner.id)
  expect((await site.ask(account.owner, path)).location).toBe(`/security/confirm?next=${encodeURIComponent(path)}`)
  expect((await site.approve(account, user_code)).location).toStartWith('/security/confirm?next=')
  expect((await site.ask(account.owner, '/device')).status).toBe(200)
  const elsewhere = await site.ask(account.owner, '/device', {
    ...site.answerForm(account, user_code),
    headers: { origin: 'https://evil.example' },
  })
  expect(elsewhere.status).toBe(403)
})

test('a denial ends it for the caller, and for whoever would approve it then', async () => {
  const account = await site.newAccount()
  const { device_code, user_code } = await site.open()
  const denied = await site.ask(account.viewer, '/device', { form: { user_code, answer: 'deny' } })
  expect(denied.location).toBe('/device?done=denied')
  expect((await site.approve(account, user_code)).status).toBe(400)
  expect([(await site.poll(device_code)).body, (await site.poll(device_code)).status]).toEqual([
    { error: 'access_denied', error_description: 'The request was denied.' },
    400,
  ])
  expect(account.made()).toEqual([])
})

test('whoever approves at once, and however often the caller asks at once on two replicas, one key is made', async () => {
  const accounts = await Promise.all([site.newAccount(), site.newAccount(), site.newAccount()])
  for (let round = 0; round < 5; round++) {
    const { device_code, user_code } = await site.open()
    const answers = await Promise.all([
      ...accounts.flatMap(account => [site.approve(account, user_code), site.approve(account, user_code)]),
      site.ask(accounts[0]?.owner, '/device', { form: { user_code, answer: 'deny' } }),
    ])
    const won = answers.filter(({ status }) => status === 303)
    expect([won.length, answers.filter(({ status }) => status === 400).length]).toEqual([1, 6])
    const polls = await Promise.all(Array.from({ length: 10 }, (_, index) => site.poll(device_code, { replica: index % 2 })))
    const keys = polls.filter(({ status }) => status === 200)
    expect(keys.length).toBe(won[0]?.location === '/device?done=approved' ? 1 : 0)
  }
  const made = accounts.flatMap(account => account.made())
  const approvals = await Promise.all(accounts.map(({ id }) => site.acts(id)))
  expect(made.length).toBe(approvals.flat().filter(({ act }) => act === 'device_login.approved').length)
  expect(made.length).toBe(approvals.flat().filter(({ act }) => act === 'key.created').length)
})

test('what the caller says of itself is one short line without links, shown as it is', async () => {
  const account = await site.newAccount()
  const { user_code } = await site.open(`<script>alert(1)</script>\n\u202eApprove at https://evil.example ${'x'.repeat(200)}`)
  const { text } = await site.ask(account.owner, `/device?user_code=${user_code}`)
  expect(text).toContain('“&lt;script&gt;alert(1)&lt;/script&gt; Approve at https evil.example')
  expect([text.includes('\u202e'), text.includes('x'.repeat(40))]).toEqual([false, false])
  const made = /name="name" type="text" value="([^"]*)"/.exec(text)?.[1] ?? ''
  expect((await site.approve(account, user_code, { name: made })).status).toBe(303)
})

test('an address opens, and a person types, only so many codes; a reached limit finds no right code either', async () => {
  const address = '203.0.113.77'
  const statuses = await Promise.all(
    Array.from({ length: 33 }, async () => (await site.call('/oauth/device/code', { client_id: 'filmgate-cli' }, { address })).status),
  )
  expect(statuses.toSorted()).toEqual([...Array(30).fill(200), 429, 429, 429])
  const refused = await site.call('/oauth/device/code', { client_id: 'filmgate-cli' }, { address })
  expect([refused.body.error, Number(refused.headers.get('retry-after')) > 0]).toEqual(['slow_down', true])

  const account = await site.newAccount()
  const { user_code } = await site.open()
  const typed = await Promise.all(
    Array.from({ length: 35 }, async () => (await site.ask(account.owner, '/device?user_code=BBBB-BBBB')).status),
  )
  expect(typed.toSorted()).toEqual([...Array(30).fill(400), ...Array(5).fill(429)])
  expect((await site.ask(account.owner, `/device?user_code=${user_code}`)).status).toBe(429)
  expect((await site.approve(account, user_code)).status).toBe(429)
})
