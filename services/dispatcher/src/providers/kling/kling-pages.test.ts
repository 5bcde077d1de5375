import { expect, test } from 'bun:test'
import { generating, queued } from '../mapping/running'
import { answerOf, outcomeOf } from './verdict'
import { readTasks } from './wire'

/** Answers as Kling’s pages show them (“Response Example” of kling.ai/document-api/api/video/*), with words where they say “string”. */
const attemptId = 'at_0190f3c4a1b27cd28ef0123456789abc'
const polled = { attemptId, providerTaskId: '893605946402811985', providerModel: 'text-to-video/kling-3.0', echoed: true }
const created = {
  ...{ code: 0, message: 'SUCCEED', request_id: '9984d27b-a408-4073-ae28-17ca6a13622d' },
  data: {
    ...{ id: '893605946402811985', status: 'submitted', create_time: 1781080778802, update_time: 1781080794151 },
    external_id: attemptId,
  },
}
const queried = (more: object) => ({
  ...{ code: 0, message: 'SUCCEED', request_id: '9984d27b-a408-4073-ae28-17ca6a13622d' },
  data: [
    {
      ...{ id: '893605946402811985', status: 'succeeded', message: '', create_time: 1781080778802, update_time: 1781080794151 },
      ...{ external_id: attemptId, ...more },
    },
  ],
})
const outputs = [
  { type: 'image', url: 'https://p2-kling.klingai.com/a.png', watermark_url: '', group_id: 'g' },
  { type: 'audio', id: 'a', mp3_url: 'https://p2-kling.klingai.com/a.mp3', wav_url: '', mp3_duration: '5', wav_duration: '5' },
  { type: 'voice', id: 'v', name: 'n', url: 'https://p2-kling.klingai.com/v.mp3', owned_by: 'kling', status: 'succeeded' },
  {
    ...{ type: 'video', id: 'w', url: 'https://v15-kling.klingai.com/w.mp4' },
    ...{ watermark_url: 'https://v15-kling.klingai.com/marked.mp4', duration: '5' },
  },
]
const billing = [
  {
    ...{ charge_type: 'unit', cash_type: '', amount: '3', currency: '' },
    ...{ package_type: 'video', list_price: '' },
  },
]

test('the answers on Kling’s pages are read as those say', () => {
  expect(outcomeOf(attemptId, { status: 200, body: created })).toEqual({
    ...{ outcome: 'accepted', providerTaskId: '893605946402811985', echoed: true },
  })
  const [task] = readTasks(queried({ outputs, billing }))?.tasks ?? []
  const video = { status: 'succeeded', outputUrl: 'https://v15-kling.klingai.com/w.mp4', billed: { microUnits: 3_000_000 } }
  expect(task && answerOf(polled, task)).toEqual(video as never)
  for (const status of ['submitted', 'processing']) {
    const [running] = readTasks(queried({ status }))?.tasks ?? []
    expect(running && answerOf(polled, running)).toEqual(status === 'submitted' ? queued() : generating())
  }
  const crowded = { code: 1303, message: 'parallel task over resource pack limit', request_id: '9984d27b-a408-4073-ae28-17ca6a13622d' }
  expect(outcomeOf(attemptId, { status: 429, body: crowded })).toMatchObject({ outcome: 'refused', cause: 'answered 429 1303' })
})

/** The table of kling.ai/document-api/api/get-started/error-codes: status, and the codes that come with it. */
const page: [number, number[]][] = [
  [401, [1000, 1001, 1002, 1003, 1004]],
  [429, [1100, 1101, 1102, 1302, 1303, 1304]],
  [403, [1103]],
  [400, [1200, 1201, 1300, 1301]],
  [404, [1202, 1203]],
  [500, [5000]],
  [503, [5001]],
  [504, [5002]],
]

test('every code of its page is a refusal where it is about what was asked, and says nothing where it is Kling’s own fault', () => {
  for (const [status, codes] of page)
    for (const code of codes) {
      const { outcome } = outcomeOf(attemptId, { status, body: { code, message: 'words', request_id: 'r' } })
      expect([code, outcome]).toEqual([code, status < 500 ? 'refused' : 'unknown'])
    }
})

test('an answer of the generation before is none', () => {
  const before = {
    code: 0,
    message: 'SUCCEED',
    data: { task_id: '1', task_status: 'submitted', task_info: { external_task_id: attemptId } },
  }
  expect(outcomeOf(attemptId, { status: 200, body: before })).toMatchObject({ outcome: 'unknown' })
  expect(
    readTasks({ code: 0, data: { task_id: '1', task_status: 'succeed', task_result: { videos: [{ url: 'https://a.example/a' }] } } }),
  ).toBeUndefined()
})
