import { expect, test } from 'bun:test'
import { openAccount } from '../support/client/account'
import { type Api, createApi } from '../support/client/api'
import { expectError, retryAfterSeconds } from '../support/client/errors'
import { ownWords } from '../support/client/request'
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
      expect(retryAfterSeconds(refused)).toBeGreaterThan(60)

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
