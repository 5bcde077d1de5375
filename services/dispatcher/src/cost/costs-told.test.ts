import { expect, test } from 'bun:test'
import { answerOf as arkAnswer } from '../providers/ark/verdict'
import type { Task as ArkTask } from '../providers/ark/wire'
import type { Billed } from '../providers/connector'
import { toldOf as dashScopeAnswer } from '../providers/dashscope/verdict'
import { answerOf as klingAnswer } from '../providers/kling/verdict'
import { toldOfH3 } from '../providers/minimax/verdict'
import { outcomeOf as pixverseOutcome } from '../providers/pixverse/verdict'
import { answerOf as viduAnswer } from '../providers/vidu/verdict'
import { answerOf as xaiAnswer } from '../providers/xai/verdict'

const url = 'https://video.example/a.mp4'
const polled = { attemptId: 'at_1', providerTaskId: '1', providerModel: 'm', echoed: false }
const billed = (answer: object): Billed | undefined => (answer as { billed?: Billed }).billed

const withheld = { code: 'imagine:content-moderated', error: 'Generated video rejected by content moderation.' }
const xai = (usage: unknown, more: object = {}, status = 200) =>
  billed(xaiAnswer({ status, body: { status: 'done', video: { url }, usage, ...more } } as never))
const vidu = (credits: unknown, state = 'success') => billed(viduAnswer({ state, credits, creations: [{ url }] }))
const minimax = (usage: unknown) =>
  billed(toldOfH3(polled, { status: 200, body: { task: { id: '1', model: 'm', status: 'succeeded', content: { url }, usage } } } as never))
const ark = (usage: unknown, status = 'succeeded') =>
  billed(arkAnswer(polled, { id: '1', status, content: { video_url: url }, usage } as ArkTask))
const dashScope = (usage: unknown) => billed(dashScopeAnswer({ output: { task_status: 'SUCCEEDED', video_url: url }, usage }))
const kling = (billing: unknown) =>
  billed(klingAnswer(polled, { id: '1', status: 'succeeded', outputs: [{ type: 'video', url }], billing }))
const pixverse = (credits: unknown) =>
  billed(pixverseOutcome({ status: 200, body: { ErrCode: 0, ErrMsg: '', Resp: { video_id: 7, credits } } } as never))

test('xAI tells ticks of which a dollar has ten thousand million, for what it withholds with 400 too', () => {
  expect(xai({ cost_in_usd_ticks: 8_400_000_000 })).toEqual({ microUsd: 840_000 })
  expect(xai({ cost_in_usd_ticks: 800_000_000 }, withheld, 400)).toEqual({ microUsd: 80_000 })
  expect(xai({ cost_in_usd_ticks: 800_000_000 }, { status: 'pending' })).toBeUndefined()
})

test('Vidu tells credits, MiniMax and DashScope seconds, Ark tokens, Kling units of a package, PixVerse credits of a submit', () => {
  expect(vidu(60)).toEqual({ microUnits: 60_000_000 })
  expect(vidu(0, 'failed')).toEqual({ microUnits: 0 })
  expect(minimax({ total_seconds: 9, input_seconds: 4, output_seconds: 5 })).toEqual({ microUnits: 9_000_000 })
  expect(ark({ completion_tokens: 108_000 })).toEqual({ microUnits: 108_000_000 })
  expect(dashScope({ duration: 5, output_video_duration: 5, input_video_duration: 3 })).toEqual({ microUnits: 8_000_000 })
  expect(dashScope({ video_duration: 5, duration: 5 })).toEqual({ microUnits: 5_000_000 })
  expect(kling([{ charge_type: 'unit', amount: '1.8', package_type: 'video' }])).toEqual({ microUnits: 1_800_000 })
  expect(pixverse(60)).toEqual({ microUnits: 60_000_000 })
})

test('what is no amount is as good as not told, and the video is there all the same', () => {
  for (const none of [undefined, null, 'free', {}, [], { cost_in_usd_ticks: '1' }, { cost_in_usd_ticks: -1 }])
    expect(xai(none)).toBeUndefined()
  for (const none of [undefined, null, 'much', -3, {}]) expect([vidu(none), pixverse(none)]).toEqual([undefined, undefined])
  for (const none of [undefined, {}, { total_seconds: null }, { completion_tokens: '1' }, { duration: {} }])
    expect([minimax(none), ark(none), dashScope(none)]).toEqual([undefined, undefined, undefined])
  for (const none of [undefined, [], [{ charge_type: 'unit', amount: 'x' }], [{ charge_type: 'balance', amount: '1' }]])
    expect(kling(none)).toBeUndefined()
  expect(xaiAnswer({ status: 200, body: { status: 'done', video: { url }, usage: 7 } } as never)).toEqual({
    status: 'succeeded',
    outputUrl: url,
  })
})
