import { expect, test } from 'bun:test'
import { Webhook } from 'standardwebhooks'
import { openAccount } from '../../../support/client/account'
import { ownWords, smallRequest } from '../../../support/client/request'
import { taskLike } from '../../../support/client/task'
import { simulator } from '../../../support/simulator'
import { listenTo, newHome } from './program'

test('listen posts the ends of new tasks, signed as the service signs, and tells nothing of older ones', async () => {
  const { apiKey, api } = await openAccount()
  const [old, good, bad] = [ownWords(), ownWords(), ownWords()]
  for (const prompt of [old, good]) await simulator.behave(prompt, [{ name: 'instant' }])
  await simulator.behave(bad, [{ name: 'moderated' }, { name: 'instant' }])
  await api.taskOnce((await api.generate(smallRequest({ prompt: old }))).body.id)
  const received: { headers: Record<string, string>; body: string }[] = []
  using handler = Bun.serve({
    port: 0,
    fetch: async request => {
      received.push({ headers: Object.fromEntries(request.headers), body: await request.text() })
      return new Response('', { status: received.length === 1 ? 204 : 500 })
    },
  })
  const child = newHome(apiKey).start(['webhooks', 'listen', '--forward-to', `http://127.0.0.1:${handler.port}/hook`, '--json'])
  const [stdout, stderr] = [listenTo(child.stdout), listenTo(child.stderr)]
  const secret = /Secret: (\S+)/.exec(await stderr.until('Listening by reading'))?.[1] ?? ''
  const ids = [good, bad].map(async prompt => (await api.generate(smallRequest({ prompt }))).body.id)
  const [goodId, badId] = await Promise.all(ids)
  await stdout.until('"status":500')
  child.kill('SIGINT')
  expect(await child.exited).toBe(130)
  const lines = (await stdout.all)
    .trim()
    .split('\n')
    .map(line => JSON.parse(line))
  const verified = received.map(
    ({ headers, body }) => new Webhook(secret).verify(body, headers) as { type: string; data: { task: { id: string } } },
  )
  const types = Object.fromEntries(verified.map(({ type, data }) => [data.task.id, type]))
  expect(types).toEqual({ [goodId ?? '']: 'task.completed', [badId ?? '']: 'task.failed' })
  expect(verified.find(({ type }) => type === 'task.completed')?.data).toEqual({
    task: taskLike({ status: 'completed', billing_status: 'settled', output: { video_url: expect.any(String) } }),
    tags: null,
  } as never)
  expect(lines.slice(0, 2).map(({ type, delivery }) => [type, delivery.status])).toEqual(
    verified.map(({ type }, index) => [type, [204, 500][index]]),
  )
  expect(lines[2]).toMatchObject({ error: { code: 'interrupted' } })
}, 120_000)
