import { expect, test } from 'bun:test'
import { allCases } from '../../catalog/cases/model-cases'
import { openAccount } from '../../support/client/account'
import { smallRequest } from '../../support/client/request'

const estimate = async ({ api }: Awaited<ReturnType<typeof openAccount>>, body: unknown) => {
  const answer = await api.send('POST', '/video/estimate', { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })
  return { status: answer.status, body: JSON.parse(answer.text) }
}

test('the price with its lines, and the request with defaults applied', async () => {
  const account = await openAccount({ credits: 50 })
  expect(await estimate(account, { prompt: ' a boat ' })).toEqual({
    status: 200,
    body: {
      credits: expect.any(Number),
      price_version: expect.any(String),
      breakdown: [{ item: 'output', quantity: 5, unit: 'second', rate: expect.any(Number), credits: expect.any(Number) }],
      request: {
        model: 'beta-2.0-fast',
        mode: 'text-to-video',
        prompt: 'a boat',
        duration: 5,
        resolution: '720p',
        generate_audio: false,
        watermark: false,
      },
      available: true,
      within_max_credits: true,
      sufficient_credits: false,
      available_credits: 50,
    },
  })
})

test('nothing is charged and no task is made', async () => {
  const account = await openAccount({ credits: 500 })
  const { status, body } = await estimate(account, smallRequest())
  expect([status, body.credits > 0]).toEqual([200, true])
  expect(await account.api.credits()).toBe(500)
  expect(JSON.parse((await account.api.get('/tasks')).text).data).toEqual([])
})

test('max_credits is compared, not enforced', async () => {
  const account = await openAccount()
  const body = smallRequest({ duration: 10 })
  const { credits } = (await estimate(account, body)).body
  expect((await estimate(account, { ...body, max_credits: credits })).body.within_max_credits).toBe(true)
  expect((await estimate(account, { ...body, max_credits: credits - 1 })).body.within_max_credits).toBe(false)
})

test('reference video is priced beside the output, and the lines sum to the total', async () => {
  const account = await openAccount()
  const { body } = await estimate(account, {
    model: 'alpha-h3',
    mode: 'media-to-video',
    prompt: 'a boat',
    reference_video_urls: ['https://media.example.com/a.mp4', 'https://media.example.com/b.mp4'],
    reference_video_durations: [2, 3],
  })
  const lines: { item: string; quantity: number; credits: number }[] = body.breakdown
  expect(lines.map(({ item, quantity }) => [item, quantity])).toEqual([
    ['output', 5],
    ['input_video', 5],
  ])
  expect(lines.reduce((sum, { credits }) => sum + credits, 0)).toBe(body.credits)
})

test('a sample of the catalog’s cases: what a model takes is taken', async () => {
  const account = await openAccount()
  const sample = allCases().filter((each, index) => each.accepted && index % 40 === 0)
  expect(sample.length).toBeGreaterThan(20)
  for (const each of sample)
    expect({ name: each.name, status: (await estimate(account, each.body)).status }).toEqual({ name: each.name, status: 200 })
})

test('a whole number may be written with a point, an exponent or a sign before nothing', async () => {
  const { api } = await openAccount()
  const written = (duration: string, seed: string) =>
    api.postText('/video/estimate', `{"model":"beta-2.5","prompt":"a boat","duration":${duration},"seed":${seed},"max_credits":1e3}`)
  const plain = await written('10', '0')
  expect([plain.status, JSON.parse(plain.text).request.duration]).toEqual([200, 10])
  for (const [duration, seed] of [
    ['10.0', '-0'],
    ['1e1', '0.0'],
    ['1.0E+1', '-0e9'],
  ] as const)
    expect(await written(duration, seed)).toMatchObject({ status: 200, text: plain.text })
})
