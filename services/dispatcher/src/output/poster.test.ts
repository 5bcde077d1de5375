import { afterAll, beforeAll, expect, test } from 'bun:test'
import { until } from '@filmgate/kit/testing'
import type { PosterRequest } from '@filmgate/proto/gen/filmgate/v1/generations_pb'
import { type Behaviour, startTestSystem, type TestSystem } from '../testing/test-system'
import { findPosters } from './find-posters'
import { createAskForPoster, posterKeyOf } from './poster'

let system: TestSystem
beforeAll(async () => {
  system = await startTestSystem()
})
afterAll(() => system?.stop())

const jpeg = new Uint8Array([0xff, 0xd8, 0xff, 0xd9])
const put = ({ uploadUrl, uploadHeaders }: PosterRequest) =>
  fetch(uploadUrl, { method: 'PUT', headers: uploadHeaders, body: jpeg }).then(({ status }) => status)

type Shown = { output_key: string; poster: string | null; poster_url: string | null }
async function shown(taskId: string): Promise<Shown | undefined> {
  const answer = await system.operator('GET', `/tasks/${taskId}`)
  return ((await answer.json()) as { attempts: Shown[] }).attempts[0]
}

async function completed() {
  const { taskId } = await system.reserveWith({ name: 'instant' })
  const event = await system.event(taskId, 'generationCompleted')
  if (!event.poster) throw new Error('no poster was asked for')
  return { taskId, event, poster: event.poster }
}

test('the end of a generation brings the right to read its video and to write its poster, and operators see where that is', async () => {
  const { taskId, event, poster } = await completed()
  const read = await (await fetch(poster.videoUrl)).bytes()
  expect(BigInt(read.length)).toBe(event.bytes)
  expect(await shown(taskId)).toMatchObject({ poster: 'none', poster_url: null })
  expect(await put(poster)).toBe(200)
  const seen = await shown(taskId)
  expect(seen?.poster).toBe('kept')
  expect(await (await fetch(seen?.poster_url ?? '')).bytes()).toEqual(jpeg)
  expect(seen?.poster_url).toMatch(/\/filmgate-outputs\/posters\/[0-9a-f]{40}\.jpg$/)
  expect(seen?.poster_url).not.toContain(seen?.output_key.slice(0, 8) ?? '')
  // The same right for anything else is none.
  expect(
    (await fetch(poster.uploadUrl, { method: 'PUT', headers: { ...poster.uploadHeaders, 'content-type': 'text/html' }, body: jpeg }))
      .status,
  ).toBe(403)
  expect((await fetch(poster.videoUrl, { method: 'PUT', body: jpeg })).status).toBe(403)
})

test('a task that is replayed has its poster asked for again, under the same key', async () => {
  const { taskId, poster } = await completed()
  expect((await system.operator('POST', `/tasks/${taskId}/replay`, {})).status).toBe(200)
  const again = await until('it is replayed', () => system.eventsOf(taskId).filter(one => one.case === 'generationCompleted')[1])
  const asked = again.case === 'generationCompleted' ? again.value.poster : undefined
  expect(URL.parse(asked?.uploadUrl ?? '')?.pathname).toBe(URL.parse(poster.uploadUrl)?.pathname ?? '-')
})

test.each<[string, 'generationFailed' | 'generationRefused', Behaviour[]]>([
  ['that was moderated', 'generationFailed', [{ name: 'moderated' }]],
  ['that failed at its provider', 'generationFailed', [{ name: 'fails_after_accept' }]],
  ['whose content was refused', 'generationRefused', [{ name: 'refuse_content' }]],
  ['whose output is no video', 'generationFailed', [{ name: 'output_wrong_type' }, { name: 'instant' }]],
])('no poster is asked for of a task %s, nor when it is replayed', async (_, end, behaviours) => {
  const { taskId } = await system.reserveWith(...behaviours)
  await system.event(taskId, end)
  expect((await system.operator('POST', `/tasks/${taskId}/replay`, {})).status).toBe(200)
  await until('it is replayed', () => system.casesOf(taskId).filter(one => one === end).length === 2)
  expect(system.eventsOf(taskId).filter(({ value }) => value && 'poster' in value && value.poster)).toEqual([])
  const seen = await shown(taskId)
  expect([seen?.poster, seen?.poster_url]).toEqual([null, null])
  if (seen?.output_key) expect(await system.outputs.head(posterKeyOf(seen.output_key))).toBeUndefined()
})

test('a poster is deleted with its video, and no right to write one outlives that', async () => {
  const { taskId, poster } = await completed()
  expect(await put(poster)).toBe(200)
  const key = (await shown(taskId))?.output_key ?? ''
  await system.sql`update attempt set output_expires_at = now() where task_id = ${taskId}`
  await system.sql`update job set run_at = now() where kind = 'expire'`
  await system.killDispatcher('SIGTERM')
  await system.startDispatcher()
  await until('the video is gone', async () => (await system.outputs.head(key)) === undefined)
  await until('its poster is gone', async () => (await system.outputs.head(posterKeyOf(key))) === undefined)
  await until('that is written down', async () => (await shown(taskId))?.poster === null)
  expect((await system.operator('POST', `/tasks/${taskId}/replay`, {})).status).toBe(200)
  const again = await until('it is replayed', () => system.eventsOf(taskId).filter(one => one.case === 'generationCompleted')[1])
  expect(again.case === 'generationCompleted' && again.value.poster).toBe(undefined)
})

test('the rights last a day, and half of what is left of the output; where that is little, none is asked for', async () => {
  const now = () => new Date(1_800_000_000_000)
  const ask = createAskForPoster({ outputs: system.outputs, publicRead: true, now })
  const secondsOf = async (leftMs: number) => Number((await ask('a.mp4', leftMs))?.until?.seconds ?? 0) - 1_800_000_000
  expect([await secondsOf(30 * 86_400_000), await secondsOf(60_000), await ask('a.mp4', 19_000), await ask('a.mp4', 0)]).toEqual([
    86_400,
    30,
    undefined,
    undefined,
  ])
  const signed = await ask('a.mp4', 60_000)
  expect(URL.parse(signed?.uploadUrl ?? '')?.searchParams.get('X-Amz-Expires')).toBe('30')
})

test('a store that doesn’t say whether there is a poster makes that not known, and nothing else', async () => {
  const outputs = { head: () => Promise.reject(new Error('no answer')) }
  expect(await findPosters({ outputs, outputBaseUrl: 'http://outputs.example' }, ['a.mp4'])).toEqual(
    new Map([['a.mp4', { poster: 'not_known', url: null }]]),
  )
})
