import { expect, test } from 'bun:test'
import { accountId, taskId } from '../testing/fake-services'
import { operateSystemForTests, wholeForm } from '../testing/operate-system'

const system = operateSystemForTests()

const account = `/operate/accounts/${accountId}`
const logged = () =>
  system.sql`select email, role, act, subject, account_id, reason, details, address, outcome, answer from operator_act order by id`

/** The page that the form redirects to. */
async function noticeAfter(answer: Response): Promise<string> {
  expect(answer.status).toBe(303)
  const page = await (await system.ask(answer.headers.get('location') ?? '', 'money')).text()
  return /<p class="notice[^>]*role="(?:alert|status)">(.*?)<\/p>/s.exec(page)?.[1] ?? ''
}

test('a grant is asked for in the person’s name with its reason, and who, why and what came of it are kept', async () => {
  const fields = wholeForm({ reason: '  lost in   the move ' })
  expect(await noticeAfter(await system.send(`${account}/grants`, 'money', fields))).toBe('The grant of 5 credits (paid) is booked.')
  expect(system.services.acts()).toEqual([
    {
      service: 'gateway',
      method: 'POST',
      path: `/accounts/${accountId}/grants`,
      operator: 'money@example.com',
      body: { id: fields.change, credits: 5, balance: 'paid', reason: 'lost in the move' },
    },
  ])
  expect([...(await logged())]).toEqual([
    {
      ...{ email: 'money@example.com', role: 'money', act: 'credits_granted', subject: fields.change, account_id: accountId },
      ...{ reason: 'lost in the move', details: { credits: 5, balance: 'paid' }, address: '203.0.113.7', outcome: 'done' },
      answer: 'The grant of 5 credits (paid) is booked.',
    },
  ])
})

test('a form that is sent twice does its act once', async () => {
  const fields = wholeForm()
  expect((await system.send(`${account}/keys/k1/revoke`, 'support', fields)).status).toBe(303)
  expect((await system.send(`${account}/keys/k1/revoke`, 'support', fields)).status).toBe(409)
  expect(system.services.acts()).toHaveLength(1)
})

test('without a reason, or without the tick, nothing is asked for and nothing kept', async () => {
  const faults: Record<string, string>[] = [
    { reason: '' },
    { reason: 'x'.repeat(501) },
    { reason: 'a\u0007b' },
    { confirm: '' },
    { form: 'none' },
  ]
  for (const fault of faults) expect((await system.send(`/operate/tasks/${taskId}/replay`, 'support', wholeForm(fault))).status).toBe(400)
  const terms: Record<string, string>[] = [{ credits: '0' }, { credits: '1.5' }, { credits: '-3' }, { balance: 'gold' }, { change: 'c1' }]
  for (const fault of terms) expect((await system.send(`${account}/grants`, 'money', wholeForm(fault))).status).toBe(400)
  expect((await system.send(`/operate/reviews/${taskId}/accept`, 'support', wholeForm({ provider_task_id: '' }))).status).toBe(400)
  expect([system.services.acts(), await logged()]).toEqual([[], [] as never])
})

test('what a service refuses is told in its words, and the form stands there again', async () => {
  system.services.answers.set(`POST /reviews/${taskId}/accept`, {
    refusedWith: 409,
    code: 'provider_task_id_unknown',
    message: 'The provider knows no such id.',
  })
  const answer = await system.send(
    `/operate/reviews/${taskId}/accept`,
    'support',
    wholeForm({ provider_task_id: 'm-9', reason: 'seen there' }),
  )
  const page = await (await system.ask(answer.headers.get('location') ?? '', 'support')).text()
  expect(page).toContain('The dispatcher refused: The provider knows no such id. Nothing was changed.')
  expect(page).toContain('<details class="act" open>')
  expect(page).toMatch(/name="provider_task_id"[^>]*value="m-9"/)
  expect(page).toMatch(/name="reason"[^>]*value="seen there"/)
  expect(await logged()).toMatchObject([{ outcome: 'refused' }])
})

test('where no answer comes that is said, and a grant that is sent again carries the same id', async () => {
  system.services.answers.set(`POST /accounts/${accountId}/grants`, 'silent')
  const fields = wholeForm()
  const answer = await system.send(`${account}/grants`, 'money', fields)
  const page = await (await system.ask(answer.headers.get('location') ?? '', 'money')).text()
  expect(page).toContain('The gateway does not respond. The outcome is unknown')
  expect(page).toContain(`name="change" value="${fields.change}"`)
  expect(await logged()).toMatchObject([{ outcome: 'unknown' }])
})

test('where the answer has another form, whether it was done is not known either', async () => {
  system.services.answers.set(`POST /accounts/${accountId}/grants`, { booked: true })
  const answer = await system.send(`${account}/grants`, 'money')
  const page = await (await system.ask(answer.headers.get('location') ?? '', 'money')).text()
  expect(page).toContain('The gateway answered in another form (the whole: Expected union value). The outcome is unknown')
  expect(await logged()).toMatchObject([{ outcome: 'unknown' }])
})

const at = '2026-11-20T10:00:00.000Z'

test('a debit that the ledger declines is told as refused', async () => {
  system.services.answers.set(`POST /accounts/${accountId}/debits`, {
    ...{ id: 'c', account_id: accountId, kind: 'debit', balance: 'paid', credits: 5, reason: 'r', operator: 'eve' },
    ...{ state: 'declined', refusal: 'insufficient_credits', available: 1, starter: 0, asked_at: at, decided_at: at },
  })
  expect(await noticeAfter(await system.send(`${account}/debits`, 'money'))).toBe(
    'The ledger declined it: insufficient credits. Nothing was changed.',
  )
})

test('the result of an act is shown to nobody else', async () => {
  const answer = await system.send(`${account}/grants`, 'money')
  const page = await (await system.ask(answer.headers.get('location') ?? '', 'read')).text()
  expect(page).not.toContain('is booked')
})

test('the log shows all acts, newest first, a page at a time', async () => {
  for (let number = 1; number <= 51; number++)
    await system.send(`/operate/tasks/${taskId}/replay`, 'support', wholeForm({ reason: `call ${number}.` }))
  const first = await (await system.ask('/operate/acts', 'read')).text()
  expect([first.includes('call 51.'), first.includes('call 2.'), first.includes('call 1.')]).toEqual([true, true, false])
  const next = /href="(\/operate\/acts\?cursor=\d+)">Next page/.exec(first)?.[1] ?? ''
  expect(await (await system.ask(next, 'read')).text()).toContain('call 1.')
})

test('the log is narrowed to an operator, an action and an account, also on its older pages', async () => {
  await system.send(`${account}/grants`, 'money')
  for (let number = 1; number <= 51; number++)
    await system.send(`/operate/tasks/${taskId}/replay`, 'support', wholeForm({ reason: `call ${number}.` }))
  const reasons = async (query: string) => {
    const page = await (await system.ask(`/operate/acts?${query}`, 'read')).text()
    return { rows: page.split('role="rowheader"').length - 1, page }
  }
  const [{ email = '' } = {}] = await system.sql<{ email: string }[]>`select email from operator_act where act = 'credits_granted' limit 1`
  expect((await reasons('action=credits_granted')).rows).toBe(1)
  expect((await reasons(new URLSearchParams({ operator: email.toUpperCase(), action: 'credits_granted' }).toString())).rows).toBe(1)
  expect((await reasons('operator=nobody@example.com')).page).toContain('No entry matches.')
  const { page, rows } = await reasons(`action=task_replayed&account=${accountId}`)
  expect(rows).toBe(50)
  const next = /href="\/operate\/acts\?([^"]*cursor=\d+)">Next page/.exec(page)?.[1]?.replaceAll('&amp;', '&') ?? ''
  expect((await reasons(next)).rows).toBe(1)
  expect((await reasons('account=%00another')).page).toContain('No entry matches.')
})

test('an act whose name has changed since is shown as it was kept', async () => {
  await system.send(`/operate/tasks/${taskId}/replay`, 'support', wholeForm())
  await system.sql`update operator_act set act = 'task_retold'`
  expect(await (await system.ask('/operate/acts', 'read')).text()).toContain('task_retold')
})
