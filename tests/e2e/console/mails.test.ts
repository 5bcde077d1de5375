import { expect, test } from 'bun:test'
import { mailsTo } from '../../console/people/mailbox'
import { signInByLink } from '../../console/people/sign-in-link'
import { hiddenIn, type Wire } from '../../console/people/wire'
import { openAccount } from '../../support/client/account'
import { smallRequest } from '../../support/client/request'
import { setBudget } from '../../support/operator/budgets'
import { operate } from '../../support/operator/operator'
import { settings } from '../../support/settings'
import { until } from '../../support/until'

async function newPerson(credits: number) {
  const { accountId, api } = await openAccount({ credits })
  const email = `ada-${crypto.randomUUID()}@example.com`
  return { accountId, api, email, path: `/accounts/${accountId}`, person: await signInByLink({ accountId, email }) }
}

const mailTo = (address: string, words: string) =>
  until(`a mail “${words}”`, async () => (await mailsTo(address)).find(({ subject }) => subject.includes(words)), 60_000)

/** A video made by the form of the playground; the path of its task. */
async function makeVideo(person: Wire, path: string): Promise<string> {
  const { model, prompt, duration, resolution } = smallRequest()
  const { text } = await person.get(`${path}/playground?model=${model}`)
  const form = { form: hiddenIn(text, 'form'), model, mode: hiddenIn(text, 'mode') }
  const made = await person.post(`${path}/playground`, { ...form, prompt, duration: String(duration), resolution })
  expect(made.status).toBe(303)
  expect(made.location).toContain(`${path}/tasks/`)
  return made.location ?? ''
}

test('a video made in the console is mailed when it is done, once, and one click of a mailbox ends such mails', async () => {
  const { email, path, person } = await newPerson(1_000)
  expect((await person.post(`${path}/e-mails`, { task_ended: 'always' })).status).toBe(303)
  const task = await makeVideo(person, path)
  const mail = await mailTo(email, 'Your video is ready')
  expect(mail.text).toContain(`${settings.consoleUrl}${task}`)
  expect((await person.get(task)).text).toContain('<video')
  expect(mail.headers['list-unsubscribe-post']).toBe('List-Unsubscribe=One-Click')
  const [, stopUrl = ''] = /^<(\S+)>$/.exec(mail.headers['list-unsubscribe'] ?? '') ?? []
  expect(mail.text).toContain(stopUrl)
  const stopped = await fetch(stopUrl, {
    method: 'POST',
    body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }),
    redirect: 'error',
  })
  expect(stopped.status).toBe(200)
  expect((await person.get(`${path}/e-mails`)).text).toContain('value="never" checked')
  expect((await mailsTo(email)).map(({ subject }) => subject)).toEqual(['Your video is ready'])
})

test('a balance that falls below what an owner chose is mailed, with the way to buy credits', async () => {
  const { accountId, email, path, person } = await newPerson(500)
  expect((await person.post(`${path}/e-mails`, { task_ended: 'never', low_balance: '500' })).status).toBe(303)
  const debit = { id: crypto.randomUUID(), credits: 60, balance: 'paid', reason: 'a test' }
  await operate('gateway', 'POST', `/accounts/${accountId}/debits`, debit)
  const mail = await mailTo(email, 'is below 500 credits')
  expect(mail.text).toContain('has 440 credits')
  expect(mail.text).toContain(`${settings.consoleUrl}${path}/billing`)
})

test('a budget that one request of the API spends is mailed to an owner, as one mail', async () => {
  const { accountId, api, email, path } = await newPerson(1_000)
  const request = smallRequest()
  const { credits: price } = JSON.parse((await api.estimate(request)).text) as { credits: number }
  await setBudget(accountId, 'account', accountId, { total: price })
  expect((await api.generate(request)).status).toBe(202)
  const mail = await mailTo(email, 'The budget of')
  expect(mail.text).toContain(`allows ${price} credits in total, and ${price} of them are spent`)
  expect(mail.text).toContain(`${settings.consoleUrl}${path}/budgets`)
  expect((await mailsTo(email)).filter(({ subject }) => subject.includes('budget'))).toHaveLength(1)
})
