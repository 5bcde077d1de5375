import { expect, test } from 'bun:test'
import type { PollAnswer } from '../connector'
import { resultOf } from '../fal/verdict'
import { interactionAnswer, operationAnswer } from '../google/verdict'
import { answerOf as klingAnswer } from '../kling/verdict'
import { toldOfH3 } from '../minimax/verdict'
import { answerOf as replicateAnswer } from '../replicate/verdict'
import { toldOf as runwareTold } from '../runware/verdict'
import { answerOf as viduAnswer } from '../vidu/verdict'

const [first, second] = ['https://cdn.example/1.mp4', 'https://cdn.example/2.mp4']
const ofFal = (body: object) => resultOf({ status: 'COMPLETED' }, { status: 200, body })
const ofGoogle = (...uris: string[]) => {
  const generatedSamples = uris.map(uri => ({ video: { uri } }))
  return operationAnswer({ name: 'models/m/operations/1', done: true, response: { generateVideoResponse: { generatedSamples } } })
}
const ofInteraction = (...uris: string[]) => {
  const content = uris.map(uri => ({ type: 'video', uri }))
  return interactionAnswer({ id: 'i', status: 'completed', steps: [{ type: 'model_output', content }] })
}
const polled = { attemptId: 'a', providerTaskId: '1', providerModel: 'm', echoed: false }
const ofMiniMax = (content: unknown) =>
  toldOfH3(polled, { status: 200, body: { task: { id: '1', model: 'm', status: 'succeeded', content } } })
const ofReplicate = (output: unknown) => replicateAnswer({ status: 200, body: { id: '1', status: 'succeeded', output } })
const ofRunware = (...urls: string[]) =>
  runwareTold('1', { status: 200, body: { data: urls.map(videoURL => ({ taskUUID: '1', status: 'success', videoURL })) } })

/** Ark, DashScope, PixVerse, xAI, Hailuo and the simulator have a place for one address alone. */
test.each<[string, PollAnswer | undefined, PollAnswer | undefined]>([
  ['fal: `videos`, or a list under `video`', ofFal({ videos: [{ url: first }, { url: second }] }), ofFal({ video: [{ url: first }] })],
  ['Google: samples of an operation', ofGoogle(first, second), ofGoogle(first)],
  ['Google: videos of an interaction', ofInteraction(first, second), ofInteraction(first, first)],
  [
    'Kling: outputs of type video',
    klingAnswer(polled, { id: '1', status: 'succeeded', outputs: [first, second].map(url => ({ type: 'video', url })) }),
    klingAnswer(polled, {
      id: '1',
      status: 'succeeded',
      outputs: [
        { type: 'image', url: second },
        { type: 'video', url: first },
      ],
    }),
  ],
  ['MiniMax: a list under `content`', ofMiniMax([{ url: first }, { url: second }]), ofMiniMax({ url: first })],
  ['Replicate: a list under `output`', ofReplicate([first, second]), ofReplicate(first)],
  ['Runware: two answers of one task', ofRunware(first, second), ofRunware(first)],
  [
    'Vidu: creations',
    viduAnswer({ state: 'success', creations: [{ url: first }, { url: second }] }),
    viduAnswer({ state: 'success', creations: [{ url: first }] }),
  ],
])('the first of several videos is taken, and the others are counted: %s', (_, two, one) => {
  expect(two).toMatchObject({ status: 'succeeded', outputUrl: first, extraOutputs: 1 })
  expect(one).toMatchObject({ status: 'succeeded', outputUrl: first })
  expect(one).not.toHaveProperty('extraOutputs')
})

test.each([{ videos: [] }, { videos: 'none' }, { video: null }, {}])('a completed request without an address is no end: %j', body => {
  expect(ofFal(body)).toEqual({ status: 'running', unknownWord: 'COMPLETED without a video' })
})

test.each([404, 410])('a completed request whose result is answered %i is no end, and unclear', status => {
  expect(resultOf({ status: 'COMPLETED' }, { status, body: { detail: 'no' } })).toEqual({
    ...{ status: 'running', unknownWord: `COMPLETED, its result ${status}` },
  })
})
