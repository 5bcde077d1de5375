import { expect, test } from 'bun:test'
import { addKey, openAccount } from '../../support/client/account'
import { type Answer, createApi } from '../../support/client/api'
import { requestId } from '../../support/client/errors'
import { smallRequest } from '../../support/client/request'
import { askOperator } from '../../support/operator/operator'
import { logLines, logSize } from '../../support/servers/service-log'
import { settings } from '../../support/settings'
import { simulator } from '../../support/simulator'
import { until } from '../../support/until'

/** One answer of each kind that a client meets, by the route and the status that its line in the log has. */
async function someAnswers() {
  const { api, apiKey, accountId } = await openAccount()
  const poor = (await openAccount({ credits: 0 })).api
  const body = smallRequest()
  await simulator.behave(body.prompt, [{ name: 'never_finishes' }])
  const idempotencyKey = crypto.randomUUID()
  const accepted = await api.generate(body, { idempotencyKey })
  const { id } = accepted.body
  const wrong = `${apiKey.slice(0, -7)}${apiKey.at(-7) === 'a' ? 'b' : 'a'}${apiKey.slice(-6)}`
  const answers: [route: string, status: number, answer: Answer][] = [
    ['POST /api/v1/video/generations', 202, accepted],
    ['POST /api/v1/video/generations', 200, await api.generate(body, { idempotencyKey })],
    ['POST /api/v1/video/generations', 400, await api.generate({ ...body, duration: 0 })],
    ['POST /api/v1/video/generations', 409, await api.generate(smallRequest(), { idempotencyKey })],
    ['POST /api/v1/video/generations', 402, await poor.generate(smallRequest())],
    ['POST /api/v1/video/generations', 413, await api.generate({ prompt: 'a'.repeat(70_000) })],
    ['POST /api/v1/video/estimate', 200, await api.estimate(body)],
    ['GET /api/v1/tasks/:id', 200, await api.task(id)],
    ['GET /api/v1/tasks/:id', 404, await api.task('vt_nobody')],
    ['GET /api/v1/tasks/:id', 400, await api.task('a%20b')],
    ['GET /api/v1/credits', 200, await api.get('/credits')],
    ['GET /api/v1/credits', 401, await createApi(null).get('/credits')],
    ['GET /api/v1/credits', 401, await createApi(wrong).get('/credits')],
    ['GET /api/v1/models', 200, await api.get('/models')],
    ['GET /api/v1/usage', 400, await api.get('/usage?limit=0')],
  ]
  const [submit] = await simulator.submits(body.prompt)
  await simulator.release(submit?.generation_id ?? '')
  return { answers, id, accountId, apiKey, wrong }
}

test('every answer has its id, by which it is one line of the log: what was asked, what it came to, whose it was, and no secret', async () => {
  const logStart = logSize('gateway')
  const { answers, id, accountId, apiKey, wrong } = await someAnswers()
  const elsewhere = [
    ['unmatched', 404, await createApi(apiKey).get('/nowhere')],
    ['unmatched', 405, await createApi(apiKey).send('DELETE', '/credits')],
    ['GET /operator/tasks/:id', 404, await askOperator('gateway', 'GET', '/tasks/vt_nobody')],
  ] as const
  for (const [, , { headers }] of [...answers, ...elsewhere]) expect(headers.get('x-request-id')).toMatch(requestId)
  const line = async (answer: Answer) =>
    until('its line', async () =>
      logLines('gateway', logStart).find(({ msg, trace_id }) => msg === 'answered' && trace_id === answer.headers.get('x-request-id')),
    )
  for (const [route, status, answer] of answers) {
    const { method, route: pattern, status: logged, duration_ms, ...rest } = await line(answer)
    expect([`${method} ${pattern}`, logged, typeof duration_ms, rest.code]).toEqual([route, status, 'number', answer.body.error?.code])
    if (status !== 401 && status !== 402) expect([rest.account_id, rest.key_id]).toEqual([accountId, apiKey.slice(8, 20)])
  }
  for (const [, status, answer] of elsewhere) expect((await line(answer)).status).toBe(status)
  for (const [, , { headers }] of elsewhere.slice(0, 2)) expect(headers.get('ratelimit')).toMatch(/^"requests";r=\d+;t=\d+$/)
  expect((await line(answers[0]?.[2] as Answer)).task_id).toBe(id)
  const answered = logLines('gateway', logStart).filter(({ msg }) => msg === 'answered')
  for (const [, , { headers }] of answers)
    expect(answered.filter(({ trace_id }) => trace_id === headers.get('x-request-id'))).toHaveLength(1)
  const whole = JSON.stringify(logLines('gateway', logStart))
  for (const secret of [apiKey.slice(20), wrong.slice(20), settings.operatorToken]) expect(whole).not.toContain(secret)
})

test('every answer to a key or to who should have one tells its limit; a refusal of the key says how to show one', async () => {
  const { answers } = await someAnswers()
  for (const [route, status, { headers }] of answers) {
    expect([route, status, headers.get('ratelimit-policy')]).toEqual([route, status, expect.stringMatching(/^"requests";q=\d+;w=60$/)])
    expect(headers.get('ratelimit')).toMatch(/^"requests";r=\d+;t=\d+$/)
    expect(headers.has('www-authenticate')).toBe(status === 401)
  }
  const challenges = answers.filter(([, status]) => status === 401).map(([, , { headers }]) => headers.get('www-authenticate'))
  expect(challenges).toEqual(['Bearer realm="filmgate"', 'Bearer realm="filmgate", error="invalid_token"'])
  const { headers } = await (await addKey((await openAccount()).accountId)).get('/credits')
  expect(headers.get('ratelimit-policy')).not.toBe(answers.find(([, status]) => status === 401)?.[2].headers.get('ratelimit-policy'))
})

test('the metrics are not where clients are', async () => {
  for (const { service, url } of settings.metricsUrls) expect([service, (await fetch(url)).status]).toEqual([service, 200])
  for (const url of [settings.url, settings.consoleUrl]) expect([url, (await fetch(new URL('/metrics', url))).status]).toEqual([url, 404])
})

test('no answer is kept by a cache or taken for another type, but what is the same for everyone', async () => {
  const { answers } = await someAnswers()
  const kept = ['/docs', '/docs/models', '/docs/models.md', '/docs/page.js', '/llms.txt', '/openapi.json']
  const elsewhere = ['/nowhere', '/healthz', '/operator/routes', '/hooks/nobody/nothing', '/docs/nothing', ...kept]
  const told = await Promise.all(
    elsewhere.map(async path => [path, (await fetch(new URL(path, settings.url), { redirect: 'manual' })).headers] as const),
  )
  const cached: Record<string, string> = {
    'GET /api/v1/models': 'private, no-cache',
    ...Object.fromEntries(kept.map(path => [path, 'public, no-cache'])),
  }
  for (const [name, headers] of [...answers.map(([route, , { headers }]) => [route, headers] as const), ...told])
    expect([name, headers.get('x-content-type-options'), headers.get('cache-control')]).toEqual([
      name,
      'nosniff',
      cached[name] ?? 'no-store',
    ])
})
