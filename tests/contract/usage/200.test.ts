import { expect, test } from 'bun:test'
import { createKey, openAccount } from '../../support/client/account'
import { createApi } from '../../support/client/api'
import { consoleOf } from '../../support/client/console'
import { smallRequest } from '../../support/client/request'
import { simulator } from '../../support/simulator'
import { until } from '../../support/until'

test('what was charged and what came back, as JSON and as CSV, and summed by day and model', async () => {
  const { api } = await openAccount({ credits: 1_000 })
  const [kept, refused] = [smallRequest(), smallRequest()]
  await simulator.behave(kept.prompt, [{ name: 'instant' }])
  await simulator.behave(refused.prompt, [{ name: 'refuse_content' }])
  const task = (await api.generate(kept)).body
  await api.taskOnce(task.id)
  const failed = (await api.generate(refused)).body.error?.details?.task_id

  const page = await until('both entries of the refused task', async () => {
    const read = JSON.parse((await api.get('/usage')).text)
    return read.data.length === 4 && read
  })
  const entry = {
    model: 'alpha-h3-fast',
    mode: 'text-to-video',
    resolution: '480p',
    billed_seconds: 1,
    price_version: expect.any(String),
    change_id: null,
    created_at: expect.any(String),
    breakdown: JSON.parse((await api.estimate(kept)).text).breakdown,
    surface: 'api',
    key_id: expect.stringMatching(/^[0-9A-Za-z]{12}$/),
    tags: null,
  }
  const cost = task.credits_used
  expect(entry.breakdown.reduce((sum: number, { credits }: { credits: number }) => sum + credits, 0)).toBe(cost)
  expect(page).toEqual({
    object: 'list',
    data: [
      { ...entry, task_id: failed, kind: 'refund', credits: cost, balance_after: 1_000 - cost },
      { ...entry, task_id: failed, kind: 'reservation', credits: -cost, balance_after: 1_000 - 2 * cost },
      { ...entry, task_id: task.id, kind: 'reservation', credits: -cost, balance_after: 1_000 - cost },
      {
        created_at: expect.any(String),
        task_id: null,
        change_id: expect.any(String),
        kind: 'grant',
        model: null,
        mode: null,
        resolution: null,
        billed_seconds: 0,
        credits: 1_000,
        balance_after: 1_000,
        price_version: null,
        breakdown: null,
        surface: null,
        key_id: null,
        tags: null,
      },
    ],
    has_more: false,
    next_cursor: null,
  })

  const csv = await api.get('/usage', { accept: 'text/csv' })
  expect(csv.headers.get('content-type')).toBe('text/csv; charset=utf-8')
  expect(csv.text.trim().split('\r\n')).toHaveLength(5)
  const summary = JSON.parse((await api.get('/usage/summary')).text)
  const sum = { generations: 2, refunds: 1, billed_seconds: 1, credits_used: 2 * cost, credits_refunded: cost, credits_net: cost }
  expect(summary.data).toEqual([{ day: new Date().toISOString().slice(0, 10), model: 'alpha-h3-fast', ...sum }])
})

test('what a member spent in the console is a record without its task, and the records and sums are the whole balance', async () => {
  const { api, accountId } = await openAccount({ credits: 1_000, starterCredits: 1 })
  const web = consoleOf(accountId)
  const requests = [smallRequest(), smallRequest(), smallRequest()] as const
  for (const { prompt } of requests) await simulator.behave(prompt, [{ name: 'instant' }])
  const first = (await api.generate(requests[0])).body
  await api.taskOnce(first.id)
  const ofWeb = (await web.generate(requests[1])).body
  await web.taskOnce(ofWeb.id)
  const last = (await api.generate(requests[2])).body
  await api.taskOnce(last.id)
  const cost = first.credits_used
  const { data } = await until('all four records', async () => {
    const read = JSON.parse((await api.get('/usage')).text)
    return read.data.length === 4 && read
  })
  const shown = data.map((one: Record<string, unknown>) => [one.task_id, one.surface, one.kind, one.credits, one.balance_after])
  expect(shown).toEqual([
    [last.id, 'api', 'reservation', -cost, 1_001 - 3 * cost],
    [null, 'web', 'reservation', 1 - cost, 1_001 - 2 * cost],
    [first.id, 'api', 'reservation', -cost, 1_000 - cost],
    [null, null, 'grant', 1_000, 1_000],
  ])
  const sums: { model: string | null; credits_net: number }[] = JSON.parse((await api.get('/usage/summary')).text).data
  expect(sums.map(({ model, credits_net }) => [model, credits_net])).toEqual([
    ['alpha-h3-fast', 2 * cost],
    [null, cost - 1],
  ])
  expect(await api.credits()).toBe(1_000 - sums.reduce((sum, { credits_net }) => sum + credits_net, 0))
  for (const path of ['/usage', '/usage/summary']) {
    expect((await api.get(path)).text).not.toContain(ofWeb.id)
    expect((await api.get(path, { accept: 'text/csv' })).text).not.toContain(ofWeb.id)
  }
})

test('usage by key and by tag: of two keys, one with tags, each sum and filter has its own', async () => {
  const { api, accountId } = await openAccount({ credits: 1_000 })
  const key = await createKey(accountId)
  const [plain, tagged] = [smallRequest(), smallRequest()]
  for (const { prompt } of [plain, tagged]) await simulator.behave(prompt, [{ name: 'instant' }])
  const first = (await api.generate(plain)).body
  const headers = { 'content-type': 'application/json', 'idempotency-key': crypto.randomUUID(), 'filmgate-tags': 'project=a%2Cb, shot=12' }
  const sent = { headers, body: JSON.stringify(tagged) }
  const second = (await createApi(key.api_key).send('POST', '/video/generations', sent)).body
  const read = async (path: string) => JSON.parse((await api.get(path)).text).data
  const entries = await until('both entries', async () => {
    const data: Record<string, unknown>[] = await read('/usage?model=alpha-h3-fast')
    return data.length === 2 && data
  })
  const tags = { project: 'a,b', shot: '12' }
  expect(entries.map(({ task_id, tags }) => [task_id, tags])).toEqual([
    [second.id, tags],
    [first.id, null],
  ])
  for (const query of [`key_id=${key.key_id}`, `tag=${encodeURIComponent('project=a,b')}`])
    expect(await read(`/usage?${query}`)).toEqual([entries[0]])
  expect((await read('/tasks?tag=shot=12')).map(({ id }: { id: string }) => id)).toEqual([second.id])
  const cost = first.credits_used
  const sum = { generations: 1, refunds: 0, billed_seconds: 1, credits_used: cost, credits_refunded: 0, credits_net: cost }
  expect(await read('/usage/summary?by=tag:project')).toEqual([
    { tag: 'project=a,b', ...sum },
    { tag: null, ...sum },
  ])
  expect((await read('/usage/summary?by=key')).map(({ key_id }: { key_id: string }) => key_id).toSorted()).toEqual(
    entries.map(({ key_id }) => String(key_id)).toSorted(),
  )
  expect((await api.get('/usage?tag=shot=12', { accept: 'text/csv' })).text).toContain(`${key.key_id},"shot=12,project=a%2Cb"`)
  const stranger = (await openAccount()).api
  for (const path of [`/usage?key_id=${key.key_id}`, '/usage?tag=shot=12', '/tasks?tag=shot=12'])
    expect(JSON.parse((await stranger.get(path)).text).data).toEqual([])
})

test('another account sees none of it', async () => {
  const { api } = await openAccount()
  const own = { kind: 'grant', task_id: null, credits: 10_000, balance_after: 10_000 }
  const records = await until('the record of its first grant', async () => {
    const { data } = JSON.parse((await api.get('/usage')).text)
    return data.length > 0 && data
  })
  expect(records).toMatchObject([own])
  expect(JSON.parse((await api.get('/usage/summary')).text).data).toEqual([])
})
