import { expect, test } from 'bun:test'
import { openAccount } from '../../support/client/account'
import { createApi } from '../../support/client/api'
import { expectError } from '../../support/client/errors'
import { smallRequest } from '../../support/client/request'
import { settings } from '../../support/settings'
import { simulator } from '../../support/simulator'

const origin = 'https://shop.example'

test('a page of any origin reads a video, which has a name, and a download of it is saved as a file', async () => {
  const [{ api, apiKey }, other] = await Promise.all([openAccount(), openAccount()])
  const request = smallRequest()
  await simulator.behave(request.prompt, [{ name: 'instant' }])
  const { id } = (await api.generate(request)).body
  const url = (await api.taskOnce(id)).output?.video_url ?? ''
  const video = await fetch(url, { headers: { origin } })
  expect([video.status, video.headers.get('access-control-allow-origin')]).toEqual([200, '*'])
  expect(video.headers.get('content-disposition')).toBe(`inline; filename="${id}.mp4"`)
  const bytes = await video.bytes()

  const path = `/tasks/${id}/download`
  const answer = await fetch(`${settings.url}${path}`, { headers: { authorization: `Bearer ${apiKey}` }, redirect: 'manual' })
  expect([answer.status, answer.headers.get('cache-control'), await answer.text()]).toEqual([302, 'no-store', ''])
  const file = await fetch(answer.headers.get('location') ?? '', { headers: { origin } })
  expect(file.headers.get('content-disposition')).toBe(`attachment; filename="${id}.mp4"`)
  expect(Buffer.compare(await file.bytes(), bytes)).toBe(0)

  expectError(await other.api.get(path), 404, 'task_not_found')
  expect((await other.api.get(path)).text).toBe((await other.api.get('/tasks/vt_none/download')).text)
  expectError(await createApi(null).get(path), 401, 'missing_api_key')
  expectError(await api.get('/tasks/a%20b/download'), 400, 'invalid_task_id')
}, 120_000)

test('a task without a video has no download', async () => {
  const { api } = await openAccount()
  const request = smallRequest()
  await simulator.behave(request.prompt, [{ name: 'never_finishes' }])
  const { id } = (await api.generate(request)).body
  expectError(await api.get(`/tasks/${id}/download`), 409, 'no_video')
}, 60_000)
