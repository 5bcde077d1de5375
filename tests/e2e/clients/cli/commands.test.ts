import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { openAccount } from '../../../support/client/account'
import { ownWords, smallRequest } from '../../../support/client/request'
import { taskLike } from '../../../support/client/task'
import { settings } from '../../../support/settings'
import { simulator } from '../../../support/simulator'
import { until } from '../../../support/until'
import { jsonOf, newHome, program } from './program'

async function accountWithVideo() {
  const account = await openAccount()
  const prompt = ownWords()
  await simulator.behave(prompt, [{ name: 'instant' }])
  const { body } = await account.api.generate(smallRequest({ prompt }))
  const task = await account.api.taskOnce(body.id)
  return { ...account, task, home: newHome(account.apiKey) }
}

test.concurrent('tasks are listed, shown, and told event by event, for people and for programs', async () => {
  const { home, task } = await accountWithVideo()
  const completed = taskLike({ status: 'completed', billing_status: 'settled', output: { video_url: expect.any(String) } })
  expect(jsonOf(await home.run(['tasks', 'list', '--json']))).toEqual({ object: 'list', data: [completed] })
  expect(jsonOf(await home.run(['tasks', 'show', task.id, '--json']))).toEqual(completed)
  expect((await home.run(['tasks', 'show', task.id])).out).toMatch(/^status {3}completed$/m)
  const events = (await home.run(['tasks', 'events', task.id, '--json'])).out.trim().split('\n')
  const types = events.map(line => JSON.parse(line).type)
  expect([types[0], types.at(-1)]).toEqual(['queued', 'completed'])
  const none = await home.run(['tasks', 'list', '--status', 'failed'])
  expect([none.exit, none.out]).toEqual([0, ''])
})

test.concurrent('a task is cancelled, and its credits come back', async () => {
  const { apiKey, api } = await openAccount()
  const home = newHome(apiKey)
  const prompt = ownWords()
  await simulator.behave(prompt, [{ name: 'never_finishes' }])
  const words = ['-m', 'alpha-h3-fast', '--duration', '1', '--yes', '--no-wait']
  const id = (await home.run(['generate', prompt, ...words])).out.trim()
  expect((await home.run(['tasks', 'cancel', id])).exit).toBe(0)
  const ended = await home.run(['tasks', 'wait', id, '--json'])
  expect([ended.exit, jsonOf(ended).error]).toEqual([1, expect.objectContaining({ code: 'cancelled' })])
  await until('the refund', async () => (await api.credits()) === 10_000)
})

test.concurrent('credits, keys and whoami', async () => {
  const { apiKey } = await openAccount({ credits: 7 })
  const home = newHome(apiKey)
  expect((await home.run(['credits'])).out).toBe('7\n')
  expect(jsonOf(await home.run(['credits', '--json']))).toEqual({ available_credits: 7, balance_type: 'paid' })
  const prefix = apiKey.slice(0, 20)
  expect(jsonOf(await home.run(['keys', '--json']))).toMatchObject({
    prefix: expect.stringContaining('sk_live_'),
    limits: { models: null },
  })
  const keys = await home.run(['keys'])
  expect([keys.out, keys.err]).toEqual([expect.stringContaining(prefix), expect.stringContaining('made in the console')])
  expect(keys.out).not.toContain(apiKey)
  expect(jsonOf(await home.run(['whoami', '--json']))).toMatchObject({ url: settings.url, account: null, key_from: 'environment' })
  expect((await home.run(['whoami', '--key', apiKey], { environment: { FILMGATE_API_KEY: '' } })).out).toContain('--key')
})

test.concurrent('models are listed, one is shown with what it takes and costs', async () => {
  const { apiKey } = await openAccount()
  const home = newHome(apiKey)
  expect(jsonOf(await home.run(['models', '--json'])).data).toContainEqual(expect.objectContaining({ id: 'alpha-h3', available: true }))
  expect((await home.run(['models'])).out).toMatch(/^alpha-h3 +text-to-video, image-to-video, media-to-video +8\.4 a second$/m)
  // A reader that is slow gets all of it, though a pipe holds 64 KiB.
  const slowly = await home.run(['-c', `${program.join(' ')} models --json | (sleep 1; cat)`], { command: ['sh'] })
  expect([slowly.out.length > 200_000, jsonOf(slowly).object]).toEqual([true, 'list'])
  const { out } = await home.run(['models', 'alpha-h3'])
  expect(out).toMatch(/^ {2}duration +4 to 15; default 5$/m)
  expect(jsonOf(await home.run(['models', 'alpha-h3', '--json']))).toMatchObject({ id: 'alpha-h3' })
  expect(JSON.parse(readFileSync(home.path('.cache/filmgate/models.json'), 'utf8'))).toContain('alpha-h3')
})

test.concurrent('an estimate reads its prompt from stdin, uploads nothing and charges nothing', async () => {
  const { apiKey, api } = await openAccount()
  const home = newHome(apiKey)
  const ended = await home.run(['estimate', '-', '-m', 'alpha-h3', '--duration', '6', '--image', 'not-there.jpg'], { stdin: 'A boat\n' })
  expect(ended.out).toBe('alpha-h3 · image-to-video · 6 s · 768p · adaptive\n51 credits (6 seconds at 8.4)\n')
  const json = jsonOf(await home.run(['estimate', 'A boat', '-m', 'alpha-h3', '--field', 'resolution=2k', '--json']))
  expect(json).toMatchObject({ credits: 68, request: { resolution: '2k', prompt: 'A boat' } })
  expect(await api.credits()).toBe(10_000)
})

test.concurrent('usage is summed by what is named, as a table, CSV and JSON, and has each record', async () => {
  const { home, task } = await accountWithVideo()
  const { out } = await home.run(['usage', '--csv', '--by', 'model'])
  const head = 'model,generations,refunds,billed_seconds,credits_used,credits_refunded,credits_net'
  expect(out).toBe(`${head}\r\nalpha-h3-fast,1,0,1,4,0,4\r\n`)
  expect(jsonOf(await home.run(['usage', '--by', 'key', '--json'])).data).toEqual([expect.objectContaining({ credits_net: 4 })])
  expect((await home.run(['usage'])).out).toContain('alpha-h3-fast')
  expect(jsonOf(await home.run(['usage', '--records', '--json'])).data).toContainEqual(
    expect.objectContaining({ task_id: task.id, credits: -4 }),
  )
  const before = await home.run(['usage', '--since', '2026-01-01', '--until', '2026-01-02'])
  expect([before.exit, before.out, before.err]).toEqual([0, '', 'Nothing was spent in this span.\n'])
})

test.concurrent('an endpoint is made, listed, tested, rotated and deleted; its secret is shown where it is made', async () => {
  const { apiKey } = await openAccount()
  const home = newHome(apiKey)
  const made = jsonOf(await home.run(['webhooks', 'create', 'https://example.com/hook', '--event', 'task.completed', '--json']))
  expect(made).toMatchObject({ url: 'https://example.com/hook', events: ['task.completed'], secret: expect.stringMatching(/^whsec_/) })
  const id = String(made.id)
  expect(jsonOf(await home.run(['webhooks', 'list', '--json'])).data).toEqual([expect.objectContaining({ id, status: 'active' })])
  const test = jsonOf(await home.run(['webhooks', 'test', id, '--json']))
  expect(jsonOf(await home.run(['webhooks', 'deliveries', id, '--json'])).data).toEqual([expect.objectContaining({ id: test.id })])
  expect(jsonOf(await home.run(['webhooks', 'replay', id, String(test.id), '--json']))).toMatchObject({ replayed: expect.any(Number) })
  const rotated = jsonOf(await home.run(['webhooks', 'rotate', id, '--json']))
  expect([typeof rotated.secret, rotated.secret === made.secret]).toEqual(['string', false])
  expect((await home.run(['webhooks', 'delete', id])).exit).toBe(2)
  expect(jsonOf(await home.run(['webhooks', 'delete', id, '--yes', '--json']))).toEqual({ deleted: id })
  expect(jsonOf(await home.run(['webhooks', 'list', '--json'])).data).toEqual([])
})
