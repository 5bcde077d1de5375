import { expect, test } from 'bun:test'
import { openAccount } from '../support/client/account'
import { expectError } from '../support/client/errors'
import { smallRequest } from '../support/client/request'
import { sampleMedia } from '../support/client/sample-media'
import { attemptsOf } from '../support/operator/operator'
import { inputsKeptHours, outputsCleaned, passHours, rowsOfTask, taskIdsOf } from '../support/servers/databases'
import { deleteOldTasks } from '../support/servers/retention'
import { inputsOf } from '../support/servers/storage'
import { simulator } from '../support/simulator'
import { until } from '../support/until'

const hoursADay = 24
/** 13 months. */
const taskDays = 395
const outputDays = 30
const inputHours = 24

test('an ended task and its Idempotency-Key are kept 13 months: then it is not found, and the key buys a new one', async () => {
  const { api } = await openAccount()
  const [body, running, idempotencyKey] = [smallRequest(), smallRequest(), crypto.randomUUID()]
  await simulator.behave(body.prompt, [{ name: 'instant' }])
  await simulator.behave(running.prompt, [{ name: 'never_finishes' }])
  const { id } = (await api.generate(body, { idempotencyKey })).body
  await api.taskOnce(id)
  const unended = (await api.generate(running)).body.id
  const usage = (await api.get('/usage')).text
  await passHours.ofTask(unended, 2 * taskDays * hoursADay)

  await passHours.ofTask(id, taskDays * hoursADay - 1)
  await deleteOldTasks()
  expect((await api.task(id)).status).toBe(200)
  expect((await api.generate(body, { idempotencyKey })).body.id).toBe(id)

  await passHours.ofTask(id, 1)
  await deleteOldTasks()
  expectError(await api.task(id), 404, 'task_not_found')
  expect(JSON.parse((await api.get('/tasks')).text).data.map((task: { id: string }) => task.id)).toEqual([unended])
  // What was charged is told for ever, and what hasn't ended is never deleted.
  expect((await api.get('/usage')).text).toBe(usage)
  const again = await api.generate(body, { idempotencyKey })
  expect([again.status, again.body.id === id]).toEqual([202, false])
  const [submit] = await simulator.submits(running.prompt)
  await simulator.release(submit?.generation_id ?? '')
  expect(await api.taskOnce(unended)).toMatchObject({ status: 'completed' })
})

test('a request that was refused before credits were reserved is kept an hour: then nothing is left of it, its key as free as before', async () => {
  const { api, accountId } = await openAccount({ credits: 0 })
  const [body, idempotencyKey] = [smallRequest(), crypto.randomUUID()]
  const refuse = async () => expectError(await api.generate(body, { idempotencyKey }), 402, 'insufficient_credits')
  const twins = await Promise.all([refuse(), refuse()])
  expect(twins).toEqual([twins[0] ?? {}, twins[0] ?? {}])
  const [kept = '', ...others] = await taskIdsOf(accountId)
  expect(await rowsOfTask(kept)).toEqual({ task: 1, task_event: 1, task_request: 0 })
  for (const id of others) await passHours.ofTask(id, 0.9)
  await passHours.ofTask(kept, 1)
  await until('the refused one to be forgotten', async () => !(await taskIdsOf(accountId)).includes(kept))
  expect(await rowsOfTask(kept)).toEqual({ task: 0, task_event: 0, task_request: 0 })
  expect(await taskIdsOf(accountId)).toEqual(others)
  await refuse()
})

test('an output and its poster are there for 30 days and not longer, its task stays as it was', async () => {
  const { api } = await openAccount()
  const body = smallRequest()
  await simulator.behave(body.prompt, [{ name: 'instant' }])
  const task = await api.taskOnce((await api.generate(body)).body.id)
  const poster = await until('its poster', async () => (await attemptsOf(task.id)).at(-1)?.poster_url ?? undefined)
  const statuses = () => Promise.all([task.output?.video_url ?? '', poster].map(async url => (await fetch(url)).status))
  expect((await (await fetch(poster)).bytes()).toHex().slice(0, 6)).toBe('ffd8ff')
  await passHours.ofOutput(task.id, outputDays * hoursADay - 1)
  await outputsCleaned()
  expect(await statuses()).toEqual([200, 200])
  await passHours.ofOutput(task.id, 1)
  await outputsCleaned()
  expect(await statuses()).toEqual([404, 404])
  expect((await api.task(task.id)).body).toEqual(task)
})

test('the copies of inputs are kept until a day after their task has ended, and not longer', async () => {
  const { api } = await openAccount()
  const frames = { mode: 'image-to-video', image_url: sampleMedia('first.jpg'), end_image_url: sampleMedia('last.jpg') }
  const body = smallRequest(frames)
  await simulator.behave(body.prompt, [{ name: 'never_finishes' }])
  const { id } = (await api.generate(body)).body
  expect([await inputsKeptHours(id), (await inputsOf(id)).length]).toEqual([undefined, 2])
  const [submit] = await simulator.submits(body.prompt)
  await simulator.release(submit?.generation_id ?? '')
  await api.taskOnce(id)
  const kept = await until('the end to be heard', () => inputsKeptHours(id))
  expect(kept).toBeGreaterThan(inputHours - 0.1)
  expect(kept).toBeLessThanOrEqual(inputHours)
  expect(await inputsOf(id)).toHaveLength(2)
  await passHours.ofInputs(id, inputHours)
  await until('the copies to be deleted', async () => (await inputsOf(id)).length === 0)
  expect(await until('the deletion to be over', async () => (await inputsKeptHours(id)) === undefined)).toBe(true)
})
