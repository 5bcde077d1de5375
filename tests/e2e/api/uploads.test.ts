import { expect, test } from 'bun:test'
import { openAccount } from '../../support/client/account'
import { expectError } from '../../support/client/errors'
import { ownWords } from '../../support/client/request'
import { sampleBytes } from '../../support/client/sample-media'
import { openUpload, readUpload, uploadByApi } from '../../support/client/upload'
import { inputsOf } from '../../support/servers/storage'
import { simulator } from '../../support/simulator'
import { until } from '../../support/until'

test('a picture and a film that were uploaded by the API become a video; nobody else can name them', async () => {
  const [{ api }, other] = await Promise.all([openAccount(), openAccount()])
  const [picture, film] = await Promise.all([sampleBytes('lake-640x480.jpg'), sampleBytes('walk-5s.mp4')])
  const [image, video] = await Promise.all([uploadByApi(api, 'image/jpeg', picture), uploadByApi(api, 'video/mp4', film)])
  const request = (urls: { image: string; video: string }) => ({
    ...{ model: 'eta-3.0', mode: 'media-to-video', prompt: ownWords(), duration: 2, resolution: '480p' },
    ...{ reference_image_urls: [urls.image], reference_video_urls: [urls.video], reference_video_durations: [5] },
  })
  const body = request({ image: image.url, video: video.url })
  await simulator.behave(body.prompt, [{ name: 'instant' }])
  expect((await api.estimate(body)).status).toBe(200)
  const accepted = await api.generate(body)
  expect(accepted.text).toContain('"processing"')
  expect((await api.taskOnce(accepted.body.id)).status).toBe('completed')
  expect(await inputsOf(accepted.body.id)).toHaveLength(2)
  expect(await readUpload(api, video.id)).toMatchObject({ status: 'accepted' })

  const foreign = await other.api.generate(request({ image: image.url, video: video.url }))
  const unknown = await other.api.generate(
    request({ image: image.url.replace(image.id, 'x'.repeat(22)), video: video.url.replace(video.id, 'y'.repeat(22)) }),
  )
  const { issues } = expectError(foreign, 400, 'invalid_request') as { issues: { path: string }[] }
  expect(issues.map(({ path }) => path)).toEqual(['reference_image_urls[0]', 'reference_video_urls[0]'])
  expect(foreign.text).toBe(unknown.text)
  expect(await other.api.credits()).toBe(10_000)
}, 120_000)

test('a file that has not arrived, or was deleted, refuses its request and costs nothing', async () => {
  const { api } = await openAccount()
  const { url } = await openUpload(api, 'image/jpeg', new Uint8Array(9))
  const body = { model: 'alpha-h3', mode: 'image-to-video', prompt: ownWords(), image_url: url, duration: 4 }
  expect(expectError(await api.generate(body), 400, 'media_unreachable')).toMatchObject({ field: 'image_url' })
  await until('the refund', async () => (await api.credits()) === 10_000)
}, 120_000)
