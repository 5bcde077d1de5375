import { expect, test } from 'bun:test'
import { type Cell, cells } from '../../api/cancel/cells'
import { cancel, isBooked, runCell } from '../../api/cancel/run-cell'
import { openAccount } from '../../support/client/account'
import { createApi } from '../../support/client/api'
import { expectError } from '../../support/client/errors'
import { openAiUrl } from '../../support/client/openai'
import { ownWords, smallRequest } from '../../support/client/request'
import { simulator } from '../../support/simulator'

/** Those that take moments; the others are `bun run test:api cancel`. */
const isShort = ({ phase, provider, times }: Cell): boolean =>
  times === 5 && (provider === 'can' || (provider === 'cannot' && phase === 'running')) && phase !== 'queued'

for (const cell of cells.filter(isShort))
  test.concurrent(`five cancels at once, ${cell.phase}, of a provider that ${cell.provider}: one ending, and its price`, async () => {
    expect(await runCell(cell)).toEqual([])
  })

test.concurrent('another account’s task and an unknown one answer a cancel alike to the byte', async () => {
  const [owner, stranger] = await Promise.all([openAccount(), openAccount()])
  const prompt = ownWords()
  await simulator.behave(prompt, [{ name: 'slow', delay_ms: 3_000 }, { name: 'instant' }])
  const { id } = (await owner.api.generate(smallRequest({ prompt }))).body
  const answers = await Promise.all([id, `vt_${'a'.repeat(26)}`].map(each => cancel(stranger.api, each)))
  for (const answer of answers) expectError(answer, 404, 'task_not_found')
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
  expectError(await cancel(stranger.api, 'vt_x.y'), 400, 'invalid_task_id')
  expect((await owner.api.taskOnce(id)).status).toBe('completed')
})

test.concurrent('a cancel takes no body or an empty object', async () => {
  const { api } = await openAccount()
  const send = (body: string) => api.send('POST', '/tasks/vt_a/cancel', { body, headers: { 'content-type': 'application/json' } })
  expectError(await send('{}'), 404, 'task_not_found')
  expectError(await send('{"force":true}'), 400, 'invalid_request')
  expectError(await send('no'), 400, 'invalid_json')
})

test.concurrent.each([
  ['/video/generations', smallRequest],
  ['/openai/v1/videos', ({ prompt }: { prompt: string }) => ({ model: 'alpha-h3-fast', prompt, seconds: '1', size: '854x480' })],
])('Filmgate-Cancel-After at %s cancels the task at that time; a bad one is 400 with an issue', async (path, bodyOf) => {
  const { api, apiKey } = await openAccount({ credits: 100 })
  const surface = path.startsWith('/openai') ? createApi(apiKey, openAiUrl()) : api
  const prompt = ownWords()
  await simulator.behave(prompt, [{ name: 'never_finishes' }])
  const post = (seconds: string) =>
    surface.send('POST', path.replace('/openai/v1', ''), {
      headers: { 'content-type': 'application/json', 'idempotency-key': crypto.randomUUID(), 'filmgate-cancel-after': seconds },
      body: JSON.stringify(bodyOf({ prompt })),
    })
  const { status, body: refused } = await post('86401')
  expect([status, refused.error?.code]).toEqual([400, 'invalid_request'])
  expect(refused.error?.details?.issues?.map(({ path }) => path)).toEqual(['Filmgate-Cancel-After'])
  const { body } = await post('2')
  const task = await api.taskOnce(body.id, isBooked)
  expect(task).toMatchObject({ status: 'failed', billing_status: 'refunded', error: { code: 'cancelled' } })
  expect(Date.parse(task.updated_at) - Date.parse(task.created_at)).toBeGreaterThanOrEqual(2_000)
  expect(await api.credits()).toBe(100)
})
