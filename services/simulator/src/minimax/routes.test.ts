import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { RuleRequest } from '../behaviour/behaviour'
import { testKey } from '../testing/client'
import { startTestSimulator } from '../testing/simulator'

let simulator: Awaited<ReturnType<typeof startTestSimulator>>
beforeAll(async () => {
  simulator = await startTestSimulator()
})
afterAll(() => simulator.stop())

async function minimax(path: string, body?: unknown, authorization = `Bearer ${testKey}`) {
  const answer = await fetch(`${simulator.origin}/minimax${path}`, {
    ...{ method: body === undefined ? 'GET' : 'POST', headers: { authorization, 'content-type': 'application/json' } },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  // biome-ignore lint/suspicious/noExplicitAny: each test looks at what its answer has.
  return { status: answer.status, body: (await answer.json()) as any }
}

const text = (words = `words ${crypto.randomUUID()}`) => ({ type: 'text', text: words })
const media = (role: string) => {
  const type = role.endsWith('_video') ? 'video_url' : role.endsWith('_audio') ? 'audio_url' : 'image_url'
  return { type, [type]: { url: 'https://ours.example/a' }, role }
}
const h3 = (changes: object = {}) => ({
  ...{ model: 'MiniMax-H3', content: [text()], resolution: '768P', duration: 4, ratio: '16:9', ...changes },
})
const hailuo = (changes: object = {}) => ({ model: 'MiniMax-Hailuo-2.3', prompt: `words ${crypto.randomUUID()}`, ...changes })

/** Submits a body that meets these behaviours. */
async function submit(behaviours: RuleRequest['behaviours'], body: { prompt?: string; content?: { text?: string }[] }) {
  const words = body.prompt ?? body.content?.[0]?.text ?? ''
  await simulator.post('/admin/behaviours', { match: { prompt_includes: words }, behaviours })
  return minimax(body.prompt === undefined ? '/v2/video_generation' : '/v1/video_generation', body)
}

async function ended(path: string) {
  for (;;) {
    const { body } = await minimax(path)
    const { status } = body.task ?? body
    if (['succeeded', 'failed', 'Success', 'Fail'].includes(status)) return body
    await Bun.sleep(20)
  }
}

test('a task of H3’s is told with the address of its video, in a query and in the list', async () => {
  const { status, body } = await submit([{ name: 'instant' }], h3())
  expect([status, body]).toEqual([200, { task_id: expect.stringMatching(/^\d{15}$/) }])
  const { task } = await ended(`/v2/query/video_generation/${body.task_id}`)
  expect(task).toMatchObject({
    id: body.task_id,
    model: 'MiniMax-H3',
    resolution: '768P',
    duration: 4,
    ratio: '16:9',
    task_type: 'generation',
  })
  expect(task.content.url).toBe(`${simulator.origin}/outputs/${body.task_id}.mp4`)
  expect((await fetch(task.content.url)).status).toBe(200)
  const { items, total } = (await minimax('/v2/query/video_generation?page_num=1&page_size=1')).body
  expect([items.map(({ id }: { id: string }) => id), total > 0]).toEqual([[body.task_id], true])
})

test('a task of Hailuo’s is told with the id of its file, and the file with its address', async () => {
  const { status, body } = await submit([{ name: 'instant' }], hailuo())
  const well = { status_code: 0, status_msg: 'success' }
  expect([status, body]).toEqual([200, { task_id: expect.stringMatching(/^\d{15}$/), base_resp: well }])
  const told = await ended(`/v1/query/video_generation?task_id=${body.task_id}`)
  expect(told).toMatchObject({ task_id: body.task_id, status: 'Success', base_resp: well })
  const { file, base_resp: answer } = (await minimax(`/v1/files/retrieve?file_id=${told.file_id}`)).body
  expect([String(file.file_id), answer]).toEqual([told.file_id, well])
  expect((await fetch(file.download_url)).status).toBe(200)
})

test('what runs, what failed and what nobody has is told in the words of its form', async () => {
  const running = await submit([{ name: 'never_finishes' }], h3())
  expect((await minimax(`/v2/query/video_generation/${running.body.task_id}`)).body.task).toMatchObject({ status: 'running', usage: {} })
  const processing = await submit([{ name: 'never_finishes' }], hailuo())
  const path = `/v1/query/video_generation?task_id=${processing.body.task_id}`
  expect((await minimax(path)).body).toMatchObject({ status: 'Processing', file_id: '' })
  const failed = await submit([{ name: 'moderated' }], h3())
  const { task } = await ended(`/v2/query/video_generation/${failed.body.task_id}`)
  expect(task).toMatchObject({ status: 'failed', error: { code: '1027' } })
  const withheld = await submit([{ name: 'moderated' }], hailuo())
  const told = await ended(`/v1/query/video_generation?task_id=${withheld.body.task_id}`)
  expect(told).toMatchObject({ status: 'Fail', file_id: '', base_resp: { status_code: 1027 } })
  // Neither form shows what was submitted in the other.
  for (const id of ['123', processing.body.task_id])
    expect(await minimax(`/v2/query/video_generation/${id}`)).toMatchObject({
      status: 500,
      body: { error: { message: 'record not found (1000)' } },
    })
  for (const query of [`query/video_generation?task_id=${running.body.task_id}`, 'files/retrieve?file_id=77', 'query/video_generation'])
    expect(await minimax(`/v1/${query}`)).toMatchObject({ status: 200, body: { base_resp: { status_code: 2013 } } })
})

test('a refusal of H3’s has a status of HTTP, one of Hailuo’s has 200 and a code', async () => {
  for (const [code, status, number, type] of [
    ['balance_exhausted', 402, 1008, 'insufficient_balance_error'],
    ['content_rejected', 422, 1026, 'unprocessable_entity_error'],
    ['too_many_requests', 429, 1002, 'rate_limit_error'],
  ] as const) {
    const refused = await submit([{ name: 'refuse', code }], h3())
    const message = expect.stringMatching(new RegExp(`\\(${number}\\)$`))
    expect(refused).toMatchObject({ status, body: { type: 'error', error: { type, message, http_code: String(status) } } })
    const coded = await submit([{ name: 'refuse', code }], hailuo())
    expect(coded).toMatchObject({ status: 200, body: { task_id: '', base_resp: { status_code: number } } })
  }
  expect((await submit([{ name: '500_before_accept' }], h3())).status).toBe(500)
  expect((await submit([{ name: '500_before_accept' }], hailuo())).body.base_resp.status_code).toBe(1000)
})

test('another scheme of authorization, another key and none are refused in the words of each form', async () => {
  for (const authorization of [`Key ${testKey}`, `bearer ${testKey}`, 'Bearer another', '']) {
    expect(await minimax('/v2/video_generation', h3(), authorization)).toMatchObject({
      status: 401,
      body: { error: { type: 'authorized_error' } },
    })
    expect(await minimax('/v2/query/video_generation', undefined, authorization)).toMatchObject({ status: 401 })
    expect(await minimax('/v1/video_generation', hailuo(), authorization)).toMatchObject({
      status: 200,
      body: { base_resp: { status_code: 1004 } },
    })
  }
})

test.each<[string, object]>([
  ['an unknown field', { mood: 'calm' }],
  ['another model', { model: 'MiniMax-Hailuo-2.3' }],
  ['another length', { duration: 3 }],
  ['a length in quotes', { duration: '5' }],
  ['lower case', { resolution: '768p' }],
  ['a resolution of the other model', { model: 'MiniMax-H3-Max', resolution: '2K', duration: 5 }],
  ['a length of the other model', { model: 'MiniMax-H3-Max' }],
  ['extras of the other model', { extra: { prompt_expansion_mode: 'balanced' } }],
  ['an unknown extra', { model: 'MiniMax-H3-Max', duration: 5, extra: { prompt_expansion_mode: 'balance' } }],
  ['adaptive without a picture', { ratio: 'adaptive' }],
  ['no ratio without a picture', { ratio: undefined }],
  ['another ratio', { ratio: '3:2' }],
  ['no prompt', { content: [media('first_frame')] }],
  ['an empty prompt', { content: [text('')] }],
  ['a long prompt', { content: [text('x'.repeat(7_001))] }],
  ['two prompts', { content: [text(), text()] }],
  ['frames and references', { content: [text(), media('first_frame'), media('reference_image')] }],
  ['two first frames', { content: [text(), media('first_frame'), media('first_frame')] }],
  ['a role of another type', { content: [text(), { ...media('first_frame'), role: 'reference_video' }] }],
  ['an unknown role', { content: [text(), { ...media('first_frame'), role: 'base' }] }],
  ['a bare address', { content: [text(), { type: 'image_url', image_url: 'https://ours.example/a', role: 'first_frame' }] }],
  ['ten pictures', { content: [text(), ...Array.from({ length: 10 }, () => media('reference_image'))] }],
])('H3 takes no body with %s', async (_, changes) => {
  expect(await minimax('/v2/video_generation', h3(changes))).toMatchObject({ status: 400, body: { error: { type: 'bad_request_error' } } })
})

test.each<[string, object]>([
  ['an unknown field', { seed: 7 }],
  ['another model', { model: 'MiniMax-H3' }],
  ['another length', { duration: 5 }],
  ['ten seconds at 1080P', { duration: 10, resolution: '1080P' }],
  ['512P without a picture', { model: 'MiniMax-Hailuo-02', resolution: '512P' }],
  ['512P with a last frame', { model: 'MiniMax-Hailuo-02', resolution: '512P', last_frame_image: 'https://ours.example/a' }],
  ['a last frame at 2.3', { last_frame_image: 'https://ours.example/a' }],
  ['no picture at 2.3 Fast', { model: 'MiniMax-Hailuo-2.3-Fast' }],
  ['a long prompt', { prompt: 'x'.repeat(2_001) }],
  ['no prompt', { prompt: undefined }],
])('Hailuo takes no body with %s', async (_, changes) => {
  expect(await minimax('/v1/video_generation', hailuo(changes))).toMatchObject({ status: 200, body: { base_resp: { status_code: 2013 } } })
})

/** Bodies as the examples of MiniMax's reference have them, in words of our own. */
test.each([
  h3({ resolution: '2K', duration: 5 }),
  h3({ content: [text(), media('first_frame')], ratio: 'adaptive' }),
  h3({ content: [text(), media('reference_video'), media('reference_audio')], ratio: 'adaptive' }),
  h3({ model: 'MiniMax-H3-Max', duration: 5, extra: { prompt_expansion_mode: 'balanced' } }),
  hailuo({ duration: 6, resolution: '1080P' }),
  hailuo({ first_frame_image: 'https://ours.example/a', duration: 6, resolution: '1080P' }),
  hailuo({
    ...{ model: 'MiniMax-Hailuo-02', first_frame_image: 'https://ours.example/a', last_frame_image: 'https://ours.example/b' },
    ...{ duration: 6, resolution: '1080P' },
  }),
])('a body as MiniMax’s reference shows it is taken: %o', async body => {
  expect((await submit([{ name: 'never_finishes' }], body)).body.task_id).toMatch(/^\d+$/)
})
