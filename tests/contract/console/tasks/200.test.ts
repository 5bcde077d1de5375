import { expect, test } from 'bun:test'
import { openAccount } from '../../../support/client/account'
import { type ConsoleTask, consoleOf } from '../../../support/client/console'
import { expectError } from '../../../support/client/errors'
import { smallRequest } from '../../../support/client/request'
import { simulator } from '../../../support/simulator'

test('tasks of both surfaces are listed newest first, by status and surface, with their prompts, and by nobody else', async () => {
  const [{ api, accountId }, stranger] = await Promise.all([openAccount(), openAccount()])
  const web = consoleOf(accountId)
  const [done, failed, running] = [smallRequest(), smallRequest(), smallRequest()]
  await simulator.behave(done.prompt, [{ name: 'instant' }])
  await simulator.behave(failed.prompt, [{ name: 'fails_after_accept' }])
  await simulator.behave(running.prompt, [{ name: 'never_finishes' }])
  const headers = { 'content-type': 'application/json', 'idempotency-key': crypto.randomUUID(), 'filmgate-tags': 'project=spring' }
  const ofApi = (await api.send('POST', '/video/generations', { headers, body: JSON.stringify(done) })).body.id
  await web.taskOnce(ofApi)
  const ofFailure = (await web.generate(failed)).body.id
  await web.taskOnce(ofFailure)
  const ofRunning = (await web.generate(running)).body.id
  const ids = async (query: string) => (await web.read<{ data: ConsoleTask[] }>(`/tasks${query}`)).data.map(({ id }) => id)
  expect(await ids('')).toEqual([ofRunning, ofFailure, ofApi])
  expect(await ids('?surface=api')).toEqual([ofApi])
  expect(await ids('?surface=web')).toEqual([ofRunning, ofFailure])
  expect(await ids('?status=processing')).toEqual([ofRunning])
  expect(await ids('?status=failed')).toEqual([ofFailure])
  expect(await ids('?status=completed')).toEqual([ofApi])
  expect(await ids('?tag=project%3Dspring')).toEqual([ofApi])
  expect(await ids('?tag=project%3Dspring&status=failed')).toEqual([])
  expect(await ids('?tag=project%3Dsummer')).toEqual([])
  expect(await ids(`?text=${encodeURIComponent(failed.prompt)}`)).toEqual([ofFailure])
  expect(await ids(`?text=${ofApi}&model=${done.model}&from=2026-01-01`)).toEqual([ofApi])
  expect(await ids('?to=2026-01-01')).toEqual([])
  for (const query of ['tag=spring', 'from=soon', 'text=', `text=${'x'.repeat(201)}`])
    expectError(await web.ask('GET', `/tasks?${query}`), 400, 'invalid_request')
  const first = await web.read<{ data: ConsoleTask[]; next_cursor: string }>('/tasks?limit=2')
  expect((await web.read<{ data: ConsoleTask[] }>(`/tasks?limit=2&cursor=${first.next_cursor}`)).data.map(({ id }) => id)).toEqual([ofApi])
  expect((await web.task(ofApi)).prompt).toBe(done.prompt)
  expect((await web.task(ofApi)).tags).toEqual({ project: 'spring' })
  expect((await web.task(ofRunning)).progress).toBe(0.25)
  expect((await api.get('/tasks')).text).not.toContain(done.prompt)
  const foreign = consoleOf(stranger.accountId)
  for (const path of [`/tasks/${ofApi}`, `/tasks/${ofRunning}/story`]) expectError(await foreign.ask('GET', path), 404, 'task_not_found')
  expect((await foreign.read<{ data: ConsoleTask[] }>('/tasks')).data).toEqual([])
})
