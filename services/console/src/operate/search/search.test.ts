import { beforeAll, expect, test } from 'bun:test'
import type { Role } from '@filmgate/kit/environment/operator-environment'
import { uuidv7 } from 'uuidv7'
import { insertTestPurchase } from '../../billing/testing/purchase'
import { accountId, taskId } from '../testing/fake-services'
import { operateSystemForTests } from '../testing/operate-system'

const system = operateSystemForTests()
const [personId, purchaseId] = [uuidv7(), uuidv7()]
const email = 'mia+films@studio.example.com'
const keyId = 'AbCdEfGh1234'

beforeAll(async () => {
  const { sql } = system
  await sql`insert into person (id, name, email, email_verified) values (${personId}, 'Mia <Moss>', ${email}, true)`
  await sql`insert into account (id, name) values (${accountId}, 'Paper <Boats>')`
  await sql`insert into membership (account_id, person_id, role) values (${accountId}, ${personId}, 'owner')`
  await sql`
    insert into mail (id, recipient, subject, sent_at, failed_at, last_error, created_at) values
      ('m1', ${email}, 'Confirm your <address>', now(), null, null, now() - interval '2 minutes'),
      ('m2', ${email}, 'Reset your password', null, now(), '550 no such mailbox', now()),
      ('m3', 'other@example.com', 'For another', now(), null, null, now())`
  await insertTestPurchase(sql, { id: purchaseId, accountId })
  await sql`update purchase set payment_intent_id = 'pi_3MtwBw', session_id = 'cs_test_a1b2' where id = ${purchaseId}`
})

const search = (text: string, as: Role = 'support') => system.ask(`/operate/search?${new URLSearchParams({ text })}`, as)
const ledTo = async (text: string) => (await search(text)).headers.get('location')

/** The services know nothing but this. */
function known(answers: Record<string, object>): void {
  const unknown = { refusedWith: 404, code: 'not_found', message: 'No such thing.' }
  for (const route of [`GET /tasks/${taskId}`, `GET /accounts/${accountId}`]) system.services.answers.set(route, unknown)
  system.services.answers.set('gateway GET /accounts', { data: [], next_cursor: null })
  system.services.answers.set('dispatcher GET /attempts', { data: [] })
  for (const [route, answer] of Object.entries(answers)) system.services.answers.set(route, answer)
}

const key = {
  ...{ id: keyId, account_id: accountId, prefix: `sk_live_${keyId}`, name: 'Editing <suite>', createdAt: '2026-11-20T10:00:00.000Z' },
  ...{ expiresAt: null, revokedAt: null, lastUsedAt: null },
}
const attempt = {
  ...{ id: 'at_1', task_id: taskId, account_id: accountId, provider: 'fal', provider_task_id: 'req-77', state: 'completed' },
  created_at: '2026-11-20T10:00:00.000Z',
}

test('what is found once is opened at once: a person, a purchase, a key, a task of a provider', async () => {
  known({ [`gateway GET /keys/${keyId}`]: key })
  expect(await ledTo('MIA+films@')).toBe(`/operate/people/${personId}`)
  expect(await ledTo('moss')).toBe(`/operate/people/${personId}`)
  const purchases = `/operate/purchases?account=${accountId}`
  for (const id of [purchaseId, 'pi_3MtwBw', 'cs_test_a1b2']) expect(await ledTo(id)).toBe(purchases)
  // A whole key is taken, too; only its beginning is asked for.
  for (const text of [`sk_live_${keyId}`, keyId, `sk_live_${keyId}${'x'.repeat(49)}`]) {
    expect(await ledTo(text)).toBe(`/operate/accounts/${accountId}`)
    expect(system.services.calls.map(({ path }) => path)).toContain(`/keys/${keyId}`)
  }
  known({ 'dispatcher GET /attempts': { data: [attempt] } })
  expect(await ledTo('req-77')).toBe(`/operate/tasks/${taskId}`)
})

test('an id of ours is found where it is', async () => {
  system.services.answers.set('gateway GET /accounts', { data: [], next_cursor: null })
  system.services.answers.set('dispatcher GET /attempts', { data: [] })
  expect(await ledTo(taskId)).toBe(`/operate/tasks/${taskId}`)
  expect(await ledTo(accountId)).toBe(`/operate/accounts/${accountId}`)
})

test('several are listed, and what people wrote is text', async () => {
  known({
    'gateway GET /accounts': { data: [{ account_id: accountId, name: 'Mia <b>', available: 1, starter: 0, created_at: key.createdAt }] },
  })
  const answer = await search('mia')
  expect(answer.status).toBe(200)
  const page = await answer.text()
  for (const words of [
    `href="/operate/accounts/${accountId}">Mia &lt;b&gt;</a>`,
    `href="/operate/people/${personId}">Mia &lt;Moss&gt;</a>`,
    email,
  ])
    expect(page).toContain(words)
})

test('nothing found is said; a service that is silent is named, and what others know is shown', async () => {
  known({})
  expect(await (await search('nowhere')).text()).toContain('Nothing was found.')
  known({ 'gateway GET /accounts': 'silent' as never })
  const page = await (await search(email)).text()
  expect(page).toContain('The gateway does not respond.')
  expect(page).toContain(`/operate/people/${personId}`)
  expect(await (await search('')).text()).not.toContain('Nothing was found.')
})

test('the page of a person has their accounts and their mails, and nobody else’s', async () => {
  const page = await (await system.ask(`/operate/people/${personId}`, 'support')).text()
  for (const words of [
    'Mia &lt;Moss&gt;',
    email,
    `/operate/accounts/${accountId}`,
    'owner',
    'Confirm your &lt;address&gt;',
    '550 no such mailbox',
  ])
    expect(page).toContain(words)
  expect(page).not.toContain('For another')
  for (const id of ['nobody-at-all', '%00', '%F0%9F%8E%AC']) expect((await system.ask(`/operate/people/${id}`, 'support')).status).toBe(404)
  expect((await system.ask('/operate/accounts/%00', 'support')).status).toBe(404)
  for (const text of ['%00', '%25', '%5C', '%F0%9F%8E%AC', 'a%27b'])
    expect((await system.ask(`/operate/search?text=${text}`, 'support')).status).toBeLessThan(400)
})

test('people are for support: an operator who only reads sees neither them nor the search', async () => {
  const pathOf = `/operate/accounts/${accountId}`
  expect(await (await system.ask(pathOf, 'support')).text()).toContain(email)
  const read = await (await system.ask(pathOf, 'read')).text()
  for (const words of [email, '/operate/search', 'What its people did']) expect(read).not.toContain(words)
  expect((await search('mia', 'read')).status).toBe(403)
})
