import { expect, test } from 'bun:test'
import { openAccount } from '../support/client/account'
import { ownWords, smallRequest } from '../support/client/request'
import { probeVideo } from '../support/client/video'
import { operate } from '../support/operator/operator'
import { simulator } from '../support/simulator'

test('a provider that tells another customer’s id never gets that customer’s video delivered', async () => {
  const [victim, client] = await Promise.all([openAccount(), openAccount()])
  const theirs = ownWords()
  await victim.api.generate(smallRequest({ prompt: theirs, aspect_ratio: '1:1' }))
  const prompt = ownWords()
  await simulator.behave(prompt, [{ name: 'wrong_id', of: 'another' }])
  const { body } = await client.api.generate(smallRequest({ prompt, aspect_ratio: '9:16' }))
  // An id that another task's attempt has is not believed, so the answer is that nobody knows yet.
  const { output } = await client.api.taskOnce(body.id ?? body.error?.details?.task_id)
  expect(await probeVideo(output?.video_url ?? '')).toMatchObject({ width: 480, height: 854 })
})

test('a redirect of an output to a private address is not followed', async () => {
  const visits: string[] = []
  const inside = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch(request) {
      visits.push(request.url)
      return new Response('secret')
    },
  })
  const { api } = await openAccount()
  const prompt = ownWords()
  await simulator.behave(prompt, [{ name: 'instant' }, { name: 'output_redirect', to: `http://127.0.0.1:${inside.port}/credentials` }])
  const { body } = await api.generate(smallRequest({ prompt }))
  expect(await api.taskOnce(body.id, ({ billing_status }) => billing_status === 'review')).toMatchObject({ status: 'processing' })
  expect(visits).toEqual([])
  await operate('dispatcher', 'POST', `/reviews/${body.id}/refund`, { reason: 'it points inwards' })
  expect(await api.taskOnce(body.id)).toMatchObject({ status: 'failed', error: { code: 'output_unavailable' } })
  await inside.stop(true)
})
