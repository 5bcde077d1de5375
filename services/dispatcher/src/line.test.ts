import { afterAll, beforeAll, expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'
import { type Stage, setStage } from './testing/stage'

let stage: Stage
beforeAll(async () => {
  stage = await setStage()
})
afterAll(() => stage.strike())

const words = () => `words ${randomUUID()}`

test('an order becomes a video that anyone who has its address can fetch', async () => {
  const prompt = words()
  await stage.behave(prompt, { name: 'instant' })
  const taskId = await stage.reserve({ prompt })
  const { videoUrl, bytes, sha256 } = await stage.event(taskId, 'generationCompleted')
  const answer = await fetch(videoUrl)
  const body = new Uint8Array(await answer.arrayBuffer())
  expect({
    status: answer.status,
    type: answer.headers.get('content-type'),
    bytes: BigInt(body.length),
    sha256: new Bun.CryptoHasher('sha256').update(body).digest('hex'),
  }).toEqual({
    status: 200,
    type: 'video/mp4',
    bytes,
    sha256,
  })
  expect(stage.casesOf(taskId)).toEqual(['generationAccepted', 'generationProgressed', 'generationCompleted'])
})
