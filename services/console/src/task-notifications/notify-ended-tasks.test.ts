import { afterAll, beforeEach, expect, test } from 'bun:test'
import { testLog } from '@filmgate/kit/testing'
import { type TaskEmailOption, upsertPreferences } from '../email-preferences/preference-repository'
import { consoleUrl, startTestConsole } from '../testing/console-and-gateway'
import { taskOf } from '../testing/serve-videos'
import { insertAwaitedTask } from './awaited-task-repository'
import { notifyEndedTasks } from './notify-ended-tasks'

const authSecret = 'a-secret-of-at-least-32-characters'
const { sql, addMember, gateway, connected, stop } = await startTestConsole()
afterAll(stop)
const deps = { sql, log: testLog, gateway: connected, consoleUrl, authSecret }

let person = { accountId: '', personId: '' }
beforeEach(async () => {
  const id = crypto.randomUUID()
  person = { accountId: id, personId: `ada-${id}` }
  await addMember(id, person.personId, 'member')
  await sql`update person set email_verified = true where id = ${person.personId}`
  await sql`delete from awaited_task`
  gateway.tasks = []
  gateway.seen.length = 0
})

const choose = (taskEnded: TaskEmailOption) =>
  sql.begin(sql => upsertPreferences(sql, { ...person, taskEnded, lowBalanceCredits: null, isLow: null, warnings: true }))
const made = (taskId: string) => sql.begin(sql => insertAwaitedTask(sql, { ...person, taskId }))
const dueNow = () => sql`update awaited_task set next_ask_at = now()`
const mails = async () => [
  ...(await sql<{ subject: string; text: string; unsubscribeUrl: string }[]>`
    select subject, body_text as text, stop_url as "unsubscribeUrl" from mail where recipient = ${`${person.personId}@example.com`} order by id`),
]
const done = (id: string, seconds: number, change = {}) =>
  taskOf({ id, status: 'completed', updated_at: new Date(Date.parse('2026-11-20T10:00:00Z') + seconds * 1_000).toISOString(), ...change })

test('the end of a task is mailed once, whoever asks how often, with a link to it and one that ends such mails', async () => {
  await choose('always')
  await made('vt_a')
  gateway.tasks = [taskOf({ id: 'vt_a' })]
  expect(await notifyEndedTasks(deps)).toBe(1)
  expect(await mails()).toEqual([])
  gateway.tasks = [done('vt_a', 20)]
  await dueNow()
  await Promise.all([notifyEndedTasks(deps), notifyEndedTasks(deps), notifyEndedTasks(deps)])
  await made('vt_a')
  await dueNow()
  expect(await notifyEndedTasks(deps)).toBe(0)
  const [mail, ...more] = await mails()
  expect(more).toEqual([])
  expect(mail?.subject).toBe('Your video is ready')
  expect(mail?.text).toContain(`${consoleUrl}/accounts/${person.accountId}/tasks/vt_a`)
  expect(mail?.text).toContain(mail?.unsubscribeUrl ?? 'none')
})

test('a failed video is told as failed, with why and what became of the credits', async () => {
  await choose('always')
  await made('vt_f')
  const error = { code: 'generation_failed', message: 'The provider could not make it.' }
  gateway.tasks = [done('vt_f', 20, { status: 'failed', error, billing_status: 'refunded', credits_refunded: 50 })]
  await notifyEndedTasks(deps)
  const [mail] = await mails()
  expect(mail?.subject).toBe('Your video could not be made')
  expect(mail?.text).toContain('then could not make the video. Such failures are often temporary')
  expect(mail?.text).toContain('50 credits, refunded')
})

test('who wants to hear of long ones hears of what took longer than a minute, and who wants none of none', async () => {
  await made('vt_none')
  await choose('long')
  await made('vt_short')
  await made('vt_long')
  gateway.tasks = [done('vt_none', 90), done('vt_short', 60), done('vt_long', 61)]
  await notifyEndedTasks(deps)
  expect((await mails()).map(({ text }) => /vt_\w+/.exec(text)?.[0])).toEqual(['vt_long'])
})

test('who has stopped them, left the account, or was never sure of their address meanwhile is not written to', async () => {
  for (const change of [
    () => choose('never'),
    () => sql`delete from membership where account_id = ${person.accountId}`,
    () => sql`update person set email_verified = false where id = ${person.personId}`,
    () => sql`update account set closed_at = now() where id = ${person.accountId}`,
  ]) {
    await sql`update account set closed_at = null`
    await addMember(person.accountId, person.personId, 'member')
    await sql`update person set email_verified = true where id = ${person.personId}`
    await choose('always')
    const id = `vt_${crypto.randomUUID()}`
    await made(id)
    await change()
    gateway.tasks = [done(id, 90)]
    expect(await notifyEndedTasks(deps)).toBe(1)
  }
  expect(await mails()).toEqual([])
})

test('tasks of many are one question; a gateway that is away loses none', async () => {
  await choose('always')
  for (let index = 0; index < 30; index++) await made(`vt_${index}`)
  gateway.tasks = Array.from({ length: 30 }, (_, index) => done(`vt_${index}`, 90))
  const away = { ...deps, gateway: { ...connected, request: () => Promise.reject(new Error('away')) } }
  await expect(notifyEndedTasks(away)).rejects.toThrow('away')
  await dueNow()
  await notifyEndedTasks(deps)
  expect(await mails()).toHaveLength(30)
  expect(gateway.seen.map(({ path }) => path)).toEqual(['/tasks/states'])
})
