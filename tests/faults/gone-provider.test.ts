import { afterAll, expect, test } from 'bun:test'
import { openAccount } from '../support/client/account'
import { type Api, createApi } from '../support/client/api'
import { expectError, retryAfterSeconds } from '../support/client/errors'
import { ownWords, smallRequest } from '../support/client/request'
import { audit } from '../support/operator/operator'
import { ops, opsDone } from '../support/operator/ops'
import { startOwn } from '../support/servers/own-services'
import { settings } from '../support/settings'
import { simulator } from '../support/simulator'
import { without } from '../support/stack'
import { until } from '../support/until'

test('the output is the service’s own copy: not the provider’s address, and there although the provider is gone', async () => {
  const { api } = await openAccount()
  const prompt = ownWords()
  await simulator.behave(prompt, [{ name: 'instant' }])
  const { body } = await api.generate({ model: 'alpha-h3', prompt })
  const { output } = await api.taskOnce(body.id)
  const [submit] = await simulator.submits(prompt)
  expect(submit?.generation_id).toBeString()
  expect(output?.video_url).not.toContain(String(submit?.generation_id))
  expect(output?.video_url).toMatch(/\/[0-9a-f]{40}\.mp4$/)
  const answer = await without('simulator', 'stop', () => fetch(output?.video_url ?? ''))
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'video/mp4'])
})

type Model = { id: string; available: boolean; modes: Record<string, { schema: { properties: { duration: object } } }> }

async function modelOf(api: Api, id: string): Promise<Model | undefined> {
  const { data } = JSON.parse((await api.get('/models')).text) as { data: Model[] }
  return data.find(model => model.id === id)
}

type Reference = { components: { schemas: { Zeta3VideoRequest: { description: string } } } }

/** Until the reference of both gateways says so, which costs no key its tokens. */
async function untilZetaIs(words: 'offered' | 'not offered'): Promise<void> {
  const isOffered = async (url: string) => {
    const { components } = (await (await fetch(new URL('/openapi.json', url))).json()) as Reference
    return !components.schemas.Zeta3VideoRequest.description.includes('Not available')
  }
  await until(`zeta-3-video to be ${words}`, async () => {
    const offered = await Promise.all([settings.url, settings.secondUrl].map(isOffered))
    return offered.every(each => each === (words === 'offered'))
  })
}

test('with one provider alone, what it doesn’t have is not offered, alike by /models, estimate and POST, until another has it', async () => {
  const { api, apiKey } = await openAccount({ credits: 1_000 })
  const other = createApi(apiKey, settings.secondUrl)
  const zeta = { model: 'zeta-3-video', prompt: ownWords() }
  const idempotencyKey = crypto.randomUUID()
  const own = { FILMGATE_SIMULATOR_URL: '', FAL_KEY: settings.simulatorKey, FILMGATE_FAL_URL: `${settings.simulatorUrl}/fal` }

  await without('dispatcher', 'stop', async () => {
    expect((await modelOf(api, zeta.model))?.available).toBe(true)
    const dispatcher = await startOwn('dispatcher', own, '/readyz')
    try {
      await untilZetaIs('not offered')

      expect([(await modelOf(api, zeta.model))?.available, (await modelOf(other, zeta.model))?.available]).toEqual([false, false])
      const estimated = await other.estimate(zeta)
      expect([estimated.status, JSON.parse(estimated.text).available]).toEqual([200, false])
      const refused = await api.generate(zeta, { idempotencyKey })
      expect(expectError(refused, 503, 'generation_unavailable')).toEqual({})
      expect(retryAfterSeconds(refused)).toBe(60)

      const four = { model: 'alpha-h3', prompt: ownWords(), duration: 4, resolution: '768p', aspect_ratio: '16:9' }
      const issue = { path: 'duration', rule: 'minimum', message: 'duration must be from 5 to 15, and is 4' }
      for (const answer of [await api.estimate(four), await other.generate(four)])
        expect(expectError(answer, 400, 'invalid_request')).toEqual({ issues: [issue] })
      const { duration } = (await modelOf(other, 'alpha-h3'))?.modes['text-to-video']?.schema.properties ?? {}
      expect(duration).toMatchObject({ minimum: 5, maximum: 15 })
      expect([await api.credits(), JSON.parse((await api.get('/tasks')).text).data]).toEqual([1_000, []])
      expect(JSON.parse((await api.get('/usage')).text).data.map(({ kind }: { kind: string }) => kind)).toEqual(['grant'])

      await simulator.behave(four.prompt, [{ name: 'instant' }])
      const made = await api.generate({ ...four, duration: 5 })
      expect((await api.taskOnce(made.body.id)).status).toBe('completed')
    } finally {
      await dispatcher.stop()
    }
    // Nobody dispatches now, which is no reason to offer more or less.
    expect((await modelOf(other, zeta.model))?.available).toBe(false)
  })

  await untilZetaIs('offered')
  await simulator.behave(zeta.prompt, [{ name: 'instant' }])
  // The key was kept free.
  expect((await other.generate(zeta, { idempotencyKey })).status).toBe(202)
}, 120_000)

const request = smallRequest()
const { model } = request
const pause = ['provider', 'pause', 'simulator', '--model', model, '--reason', 'its bad hour', '--by', 'ada']
const resume = ['provider', 'resume', 'simulator', '--model', model, '--reason', 'it is well', '--by', 'eve']

afterAll(async () => {
  await ops(...resume)
  expect(await audit()).toEqual([])
})

test('a paused model is refused before a reservation, while what was accepted is finished; once resumed the same key is free', async () => {
  const { api } = await openAccount({ credits: 1_000 })
  const isAvailable = async () => (JSON.parse((await api.estimate(request)).text) as { available: boolean }).available
  await until('the model offered', isAvailable)
  const prompt = ownWords()
  await simulator.behave(prompt, [{ name: 'slow', delay_ms: 5_000 }])
  const running = await api.generate({ ...request, prompt })
  expect(running.status).toBe(202)
  const credits = await api.credits()

  expect(await opsDone(...pause)).toContain('paused')
  await until('the model withdrawn', async () => !(await isAvailable()))
  const idempotencyKey = crypto.randomUUID()
  const refused = await api.generate(request, { idempotencyKey })
  expect([refused.status, refused.body.error?.code, refused.headers.get('retry-after')]).toEqual([503, 'generation_unavailable', '60'])
  expect(await api.credits()).toBe(credits)

  expect(await opsDone('provider', 'list')).toMatch(new RegExp(`paused for ${model} since \\S+ by ada: its bad hour\n`))
  const refusals = await Promise.all([ops(...pause), ops(...resume.filter(word => word !== '--model' && word !== model))])
  expect(refusals.map(({ exitCode, stderr }) => [exitCode, /hold_in_force|no_hold/.exec(stderr)?.[0]])).toEqual([
    [1, 'hold_in_force'],
    [1, 'no_hold'],
  ])
  expect(await api.taskOnce(running.body.id)).toMatchObject({ status: 'completed', billing_status: 'settled' })

  expect(await opsDone(...resume)).toContain('its bad hour')
  await until('the model offered again', isAvailable)
  const admitted = await api.generate(request, { idempotencyKey })
  expect(admitted.status).toBe(202)
  expect(await api.taskOnce(admitted.body.id)).toMatchObject({ status: 'completed' })
})
