import { expect, test } from 'bun:test'
import { addKey, openAccount } from '../../support/client/account'
import { requestId } from '../../support/client/errors'
import { ownWords, smallRequest } from '../../support/client/request'
import { taskLike } from '../../support/client/task'
import { simulator } from '../../support/simulator'

test('a new generation is accepted: a whole task, its credits reserved', async () => {
  const { api } = await openAccount({ credits: 1_000 })
  const answer = await api.generate(smallRequest())
  expect(answer.status).toBe(202)
  expect(answer.body).toEqual(taskLike({}) as never)
  expect(answer.body.credits_used).toBeGreaterThan(0)
  expect(answer.headers.get('idempotent-replayed')).toBeNull()
  expect(answer.headers.get('retry-after')).toBe('10')
  expect(answer.headers.get('x-request-id')).toMatch(requestId)
  expect(await api.credits()).toBe(1_000 - answer.body.credits_used)
})

test('without a model it is beta-2.0-fast, with its defaults', async () => {
  const { api } = await openAccount()
  const prompt = ownWords()
  await simulator.behave(prompt, [{ name: 'instant' }])
  const answer = await api.generate({ prompt })
  expect(answer.status).toBe(202)
  expect(answer.body).toMatchObject({ model: 'beta-2.0-fast', mode: 'text-to-video' })
})

test('an Idempotency-Key of one and of 160 characters will do', async () => {
  const { api } = await openAccount()
  for (const idempotencyKey of ['x', 'aZ09._:-'.repeat(20)]) {
    const prompt = ownWords()
    await simulator.behave(prompt, [{ name: 'instant' }])
    expect((await api.generate(smallRequest({ prompt }), { idempotencyKey })).status).toBe(202)
  }
})

test('the same key of Idempotency under another API key is another scope, also within one account', async () => {
  const { api, accountId } = await openAccount()
  const other = await addKey(accountId)
  const [prompt, idempotencyKey] = [ownWords(), crypto.randomUUID()]
  await simulator.behave(prompt, [{ name: 'instant' }])
  const [first, second] = [
    await api.generate(smallRequest({ prompt }), { idempotencyKey }),
    await other.generate(smallRequest({ prompt }), { idempotencyKey }),
  ]
  expect([first.status, second.status]).toEqual([202, 202])
  expect(first.body.id).not.toBe(second.body.id)
})

test('the prompt is trimmed; a prompt of 7,000 characters counted as code points is taken', async () => {
  const { api } = await openAccount()
  const words = ownWords()
  await simulator.behave(words, [{ name: 'instant' }])
  const prompt = `${words} ${'🎬'.repeat(7_000 - Array.from(words).length - 1)}`
  expect((await api.generate(smallRequest({ prompt: `  ${prompt}\n` }))).status).toBe(202)
  expect((await simulator.submitsWith(words)).map(submit => submit.prompt)).toEqual([prompt])
})

test('a whole number may be written as 5.0, 50e-1 or -0, as JSON Schema counts it: it is the same request', async () => {
  const { api } = await openAccount()
  const [prompt, idempotencyKey] = [ownWords(), crypto.randomUUID()]
  await simulator.behave(prompt, [{ name: 'instant' }])
  const written = (duration: string, seed: string) => `{"model":"beta-2.5","prompt":"${prompt}","duration":${duration},"seed":${seed}}`
  const plain = JSON.parse((await api.postText('/video/estimate', written('5', '0'))).text)
  expect(plain.request).toMatchObject({ duration: 5, seed: 0 })
  const first = await api.postText('/video/generations', written('5.0', '-0'), idempotencyKey)
  expect([first.status, first.body.credits_used]).toEqual([202, plain.credits])
  for (const [duration, seed] of [
    ['5', '0'],
    ['50e-1', '0e5'],
    ['0.5E+1', '-0.0'],
  ] as const) {
    const again = await api.postText('/video/generations', written(duration, seed), idempotencyKey)
    expect([again.status, again.body.id]).toEqual([200, first.body.id])
    const { text } = await api.postText('/video/estimate', written(duration, seed))
    expect(JSON.stringify(JSON.parse(text).request)).toBe(JSON.stringify(plain.request))
  }
  expect(await simulator.submits(prompt)).toHaveLength(1)
})
