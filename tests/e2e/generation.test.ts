import { expect, test } from 'bun:test'
import { openAccount } from '../support/account'
import { ledgerTask } from '../support/operator'
import { ownWords } from '../support/request'
import { simulator } from '../support/simulator'
import { without } from '../support/stack'
import { probeVideo } from '../support/video'

/** What is asked, and the size its words stand for. */
const requests = [
  {
    asked: { model: 'alpha-h3', duration: 5, resolution: '768p', aspect_ratio: '16:9' },
    width: 1366,
    height: 768,
    seconds: 5,
    sound: false,
  },
  {
    asked: { duration: 4, resolution: '480p', aspect_ratio: '9:16', generate_audio: true },
    width: 480,
    height: 854,
    seconds: 4,
    sound: true,
  },
  { asked: { model: 'alpha-h3', duration: 4, resolution: '2k', aspect_ratio: '1:1' }, width: 1440, height: 1440, seconds: 4, sound: false },
]

for (const { asked, seconds, ...size } of requests)
  test(`a client gets the video it asked for and pays its price once: ${JSON.stringify(asked)}`, async () => {
    const { api } = await openAccount({ credits: 5_000 })
    const prompt = ownWords()
    const accepted = await api.generate({ ...asked, prompt })
    expect(accepted.status).toBe(202)
    const task = await api.taskOnce(accepted.body.id)
    expect(task).toMatchObject({
      status: 'completed',
      billing_status: 'settled',
      credits_used: accepted.body.credits_used,
      credits_refunded: 0,
    })
    expect(await api.credits()).toBe(5_000 - task.credits_used)

    const video = await probeVideo(task.output?.video_url ?? '')
    expect(video).toMatchObject({ ...size, codec: 'h264' })
    expect(Math.abs(video.seconds - seconds)).toBeLessThanOrEqual(0.1)

    const { reservation, entries } = await ledgerTask(task.id)
    expect(reservation).toMatchObject({ state: 'settled', credits: task.credits_used, refunded: 0 })
    expect(entries.reduce((sum, { credits }) => sum + credits, 0)).toBe(0)
    expect(entries.filter(({ kind, book }) => kind === 'settle' && book === 'revenue').map(({ credits }) => credits)).toEqual([
      task.credits_used,
    ])
    expect(await simulator.submits(prompt)).toHaveLength(1)
  })

test('the output is the service’s own copy: not the maker’s address, and there although the maker is gone', async () => {
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
