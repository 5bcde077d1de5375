import { expect, test } from 'bun:test'
import { openAccount } from '../../../support/client/account'
import { consoleOf } from '../../../support/client/console'
import { expectError } from '../../../support/client/errors'
import { ownWords, smallRequest } from '../../../support/client/request'
import { audit, ledgerTask } from '../../../support/operator/operator'
import { simulator } from '../../../support/simulator'
import { until } from '../../../support/until'

type Usage = {
  data: {
    task_id: string
    kind: string
    surface: string
    credits: number
    paid_credits: number
    starter_credits: number
    balance_after: number
  }[]
}
type Story = { events: { kind: string }[]; entries: { kind: string; credits: number; balance: string }[] }

async function priceOf(web: ReturnType<typeof consoleOf>, request: object): Promise<number> {
  const { text } = await web.ask('POST', '/estimate', { body: request })
  return JSON.parse(text).credits
}

test('a generation in the console spends starter credits first, then paid ones, and its story tells both', async () => {
  const { accountId } = await openAccount({ credits: 1_000, starterCredits: 1 })
  const web = consoleOf(accountId)
  const request = smallRequest()
  await simulator.behave(request.prompt, [{ name: 'instant' }])
  const price = await priceOf(web, request)
  expect(price).toBeGreaterThan(1)
  const accepted = await web.generate(request)
  expect(accepted.status).toBe(202)
  const task = await web.taskOnce(accepted.body.id)
  expect(task).toMatchObject({
    status: 'completed',
    surface: 'web',
    progress: 1,
    resolution: '480p',
    duration_seconds: 1,
    billing_status: 'settled',
  })
  expect([task.prompt, task.credits_used]).toEqual([request.prompt, price])
  expect(await web.account()).toMatchObject({ available_credits: 1_000 - (price - 1), starter_credits: 0, unfinished: 0 })
  const [record] = (await web.read<Usage>('/usage')).data
  expect(record).toMatchObject({ kind: 'reservation', surface: 'web', credits: -price, paid_credits: 1 - price, starter_credits: -1 })
  expect([record?.task_id, record?.balance_after]).toEqual([task.id, 1_000 - (price - 1)])
  const story = await web.read<Story>(`/tasks/${task.id}/story`)
  expect(story.events.map(({ kind }) => kind)).toEqual(
    expect.arrayContaining(['creditsReserved', 'generationAccepted', 'generationCompleted', 'creditsSettled']),
  )
  expect(story.entries.map(({ kind, credits, balance }) => [kind, credits, balance])).toEqual([
    ['reservation', -1, 'starter'],
    ['reservation', 1 - price, 'paid'],
  ])
  expect(task.poster_url).toMatch(/\/posters\/[0-9a-f]{40}\.jpg$/)
  await until('the poster', async () => (await fetch(task.poster_url ?? '')).headers.get('content-type') === 'image/jpeg')
  expect(await audit()).toEqual([])
})

test('what is refunded returns to the balance that it came from', async () => {
  const { accountId } = await openAccount({ credits: 1_000, starterCredits: 3 })
  const web = consoleOf(accountId)
  const request = smallRequest()
  await simulator.behave(request.prompt, [{ name: 'fails_after_accept' }])
  const accepted = await web.generate(request)
  expect(accepted.status).toBe(202)
  const task = await web.taskOnce(accepted.body.id)
  expect(task).toMatchObject({ status: 'failed', progress: null, poster_url: null })
  await until('both balances as before', async () => {
    const { available_credits, starter_credits } = await web.account()
    return available_credits === 1_000 && starter_credits === 3
  })
  const { entries } = await web.read<Story>(`/tasks/${task.id}/story`)
  expect(entries.reduce((sum, { credits }) => sum + credits, 0)).toBe(0)
  expect(entries.filter(({ balance }) => balance === 'starter').map(({ kind, credits }) => [kind, credits])).toEqual([
    ['reservation', -3],
    ['refund', 3],
  ])
  expect((await ledgerTask(task.id)).reservation).toMatchObject({ state: 'refunded' })
  expect(await audit()).toEqual([])
})

test('a key belongs to the account and not to an API key: the same one at the API makes a task of its own', async () => {
  const { api, accountId } = await openAccount()
  const web = consoleOf(accountId)
  const request = smallRequest()
  await simulator.behave(request.prompt, [{ name: 'instant' }])
  const idempotencyKey = crypto.randomUUID()
  const [first, again] = await Promise.all([web.generate(request, idempotencyKey), web.generate(request, idempotencyKey)])
  expect([first.status, again.status].toSorted()).toEqual([200, 202])
  expect(again.body.id).toBe(first.body.id)
  expectError(await web.generate({ ...request, prompt: ownWords() }, idempotencyKey), 409, 'idempotency_key_reused')
  const ofApi = await api.generate(request, { idempotencyKey })
  expect(ofApi.status).toBe(202)
  expect(ofApi.body.id).not.toBe(first.body.id)
})
