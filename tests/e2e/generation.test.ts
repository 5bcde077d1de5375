import { expect, test } from 'bun:test'
import { openAccount } from '../support/client/account'
import { ownWords } from '../support/client/request'
import { probeVideo } from '../support/client/video'
import { ledgerTask } from '../support/operator/operator'
import { simulator } from '../support/simulator'

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
