import { afterAll, beforeEach, expect, test } from 'bun:test'
import { testBucket, until } from '@filmgate/kit/testing'
import { startTestConsole } from '../testing/console-and-gateway'
import { taskOf } from '../testing/serve-videos'
import { fileNameOf } from './sign-download'
import { tookText } from './timeline'

const { store: outputStore } = await testBucket()
let storeAnswers = true
const { ask, addMember, gateway, stop } = await startTestConsole({
  outputStore,
  uploadStore: outputStore,
  headUpload: key => (storeAnswers ? outputStore.head(key) : Promise.reject(new Error('no answer'))),
  outputBaseUrl: 'https://outputs.example.com',
})
afterAll(stop)
await addMember('a1', 'vera', 'viewer')
await addMember('a1', 'mo', 'member')

const path = '/accounts/a1/tasks'
const page = async (at: string) => (await ask('vera', at)).text()
const done = taskOf({
  id: 'vt_done',
  status: 'completed',
  billing_status: 'settled',
  output: { video_url: 'https://outputs.example.com/v.mp4' },
  poster_url: 'https://outputs.example.com/p.jpg',
  prompt: '<script>alert(1)</script>',
})
const failed = taskOf({
  id: 'vt_failed',
  status: 'failed',
  billing_status: 'refunded',
  credits_refunded: 50,
  error: { code: 'generation_failed', message: 'The generation failed.' },
  surface: 'api',
})
/** What the gateway was last asked for tasks. */
const listed = () => gateway.seen.findLast(({ path }) => path.endsWith('/a1/tasks'))?.query.toString()
beforeEach(() => {
  gateway.tasks = [taskOf({ id: 'vt_run' }), done, failed]
  gateway.story = { waiting: null, request: null, events: [], entries: [] }
})

test('each task is shown with its picture, status, model and price; what people wrote is text', async () => {
  const html = await page(path)
  expect(html).toContain('<img src="https://outputs.example.com/p.jpg" alt="" loading="lazy">')
  expect(html).toContain('<span class="title">&lt;script&gt;alert(1)&lt;/script&gt;</span>')
  expect(html).toContain('50 credits, reserved')
  expect(html).toContain('50 credits, refunded')
  expect(html).toContain('<progress max="1" value="0.25"')
})

test('tasks are filtered and paged by the gateway, and a filter of nobody’s counts as none', async () => {
  gateway.tasks = Array.from({ length: 30 }, (_, index) => taskOf({ id: `vt_${index}` }))
  const first = await page(`${path}?status=processing&surface=web`)
  expect(first).toContain(`href="${path}?status=processing&amp;surface=web&amp;cursor=24">Older</a>`)
  const second = await page(`${path}?status=processing&cursor=24`)
  expect([...second.matchAll(/data-task="/g)]).toHaveLength(6)
  expect(second).toContain(`href="${path}?status=processing">Newest</a>`)
  await page(`${path}?status=constructor&surface=x`)
  expect(listed()).toBe('limit=24')
})

test('tasks are searched by words, model, key and days; what is no day is said and filters nothing', async () => {
  gateway.keys = [{ key_id: 'key_one', name: 'Editing <suite>' }]
  const html = await page(`${path}?status=completed&text=+red+fox+&model=alpha-h3&key=key_one&from=2026-11-20&to=2026-11-21`)
  expect(listed()).toBe(
    'status=completed&text=red+fox&model=alpha-h3&key_id=key_one&from=2026-11-20T00%3A00%3A00.000Z&to=2026-11-22T00%3A00%3A00.000Z&limit=24',
  )
  for (const words of [
    'value="red fox"',
    '<option selected>alpha-h3</option>',
    '<option value="key_one" selected>Editing &lt;suite&gt;</option>',
    '<input type="hidden" name="status" value="completed">',
    'No task matches.',
    '<details class="rare" open>',
  ])
    expect(html).toContain(words)
  for (const days of ['from=2026-02-30', 'to=soon']) expect(await page(`${path}?${days}`)).toContain('Enter dates such as 2026-11-23.')
  expect(await page(`${path}?from=2026-11-21&to=2026-11-20`)).toContain('The first day is after the last.')
  expect(listed()).toBe('limit=24')
  expect(await page(path)).not.toContain('<details class="rare" open>')
  await page(`${path}?text=%00&model=%00&from=%00`)
  expect(listed()).toBe('limit=24')
})

test('a search that has not looked at all tasks leads to the older ones', async () => {
  gateway.searchedTo = '2'
  const none = await page(`${path}?text=nowhere`)
  expect(none).toContain('Older tasks are not searched yet.')
  expect(none).toContain(`href="${path}?text=nowhere&amp;cursor=2">Search older tasks</a>`)
  gateway.searchedTo = null
  expect(await page(`${path}?text=nowhere`)).toContain('No task matches.')
})

test('tags are shown, lead to their tasks, and are looked for beside the other filters; a wrong one is said', async () => {
  gateway.tasks = [taskOf({ id: 'vt_spring', tags: { project: 'spring & "summer"', shot: '12' } }), done]
  expect(await page(path)).toContain(
    `<a href="${path}?tag=project%3Dspring+%26+%22summer%22">project: spring &amp; &quot;summer&quot;</a><a href="${path}?tag=shot%3D12">shot: 12</a>`,
  )
  const found = await page(`${path}?status=processing&tag=shot%3D12`)
  expect(listed()).toBe('status=processing&tag=shot%3D12&limit=24')
  expect(found.match(/data-task="[^"]*"/g)).toEqual(['data-task="vt_spring"'])
  expect(found).toContain('<input type="hidden" name="status" value="processing">')
  expect(found).toContain(`href="${path}?status=processing&amp;tag=shot%3D12&amp;surface=api"`)
  expect(await page(`${path}?tag=shot%3D13`)).toContain('No task matches.')
  const wrong = await page(`${path}?tag=Shot`)
  expect(wrong).toContain('Enter a tag such as project=spring.')
  expect(listed()).toBe('limit=24')
})

test('all running tasks of a page are asked for at once, whatever became of them', async () => {
  gateway.seen.length = 0
  const answer = await ask('vera', `${path}/live?ids=vt_run,vt_done,vt_gone,${'x'.repeat(65)},a.b`, undefined, {
    accept: 'application/json',
  })
  const { tasks } = (await answer.json()) as { tasks: { id: string; status: string; card: string }[] }
  expect(tasks.map(({ id, status }) => [id, status])).toEqual([
    ['vt_run', 'processing'],
    ['vt_done', 'completed'],
  ])
  expect(gateway.seen.map(({ path }) => path)).toEqual(['/tasks/states'])
  // Only what has a video can be chosen for a ZIP.
  expect(tasks.map(({ card }) => /data-url="([^"]+)" data-file="([^"]+)"/.exec(card)?.slice(1))).toEqual([
    undefined,
    ['https://outputs.example.com/v.mp4', expect.stringMatching(/\.mp4$/)],
  ])
})

test('the page of a task plays it, tells its request and its story, and leads to another like it', async () => {
  gateway.story = {
    events: [{ at: '2026-11-20T10:00:00.000Z', kind: 'creditsReserved', summary: 'Credits are held for the video' }],
    entries: [{ at: '2026-11-20T10:00:00.000Z', kind: 'charge', credits: -50, balance: 'starter' }],
  }
  const html = await page(`${path}/vt_done`)
  expect(html).toContain(
    '<video controls preload="metadata" playsinline src="https://outputs.example.com/v.mp4" poster="https://outputs.example.com/p.jpg"',
  )
  expect(html).toContain('Credits are held for the video')
  expect(html).toMatch(/scope="row">Charge<.*<div>Starter<.*<div>−50</)
  expect(html).toContain('href="/accounts/a1/playground?task=vt_done">Make another like it</a>')
  expect(html).not.toContain('<script>alert')
})

test('a task that was charged in part says of how much, and what was less than ordered', async () => {
  const part = taskOf({ ...done, credits_used: 60, credits_refunded: 24, shortfalls: ['duration', 'audio'] })
  gateway.tasks = [part, taskOf({ ...done, id: 'vt_before', credits_used: 60, credits_refunded: 24 })]
  const words = 'Charged 36 of 60 credits: less was delivered (the video is shorter than ordered, it has no sound)'
  expect(await page(`${path}/vt_done`)).toContain(words)
  expect(await page(path)).toContain(words)
  expect(await page(`${path}/vt_before`)).toContain('Charged 36 of 60 credits: less was delivered<')
})

test('a failed task says why, whether a retry can help, and that nothing was charged', async () => {
  const textOf = async (code: string, message = 'for programs') => {
    gateway.tasks = [{ ...failed, error: { code, message } }]
    return /<div class="notice wrong">(.*?)<\/div>/s.exec(await page(`${path}/vt_failed`))?.[1]?.replace(/<[^>]*>/g, ' ')
  }
  const nothing = 'Nothing was charged. The credits were refunded.'
  const failedWords = await textOf('generation_failed')
  expect(failedWords).toContain('could not make the video.')
  expect(failedWords).toContain('trying again can help')
  expect(failedWords).toContain(nothing)
  expect(await textOf('output_moderated')).toContain('The same request will most likely fail again.')
  expect(await textOf('media_too_large', 'The file has 40 MiB.')).toMatch(/The file has 40 MiB\. .*helps only with another file/)
  expect(await textOf('some_later_code')).toMatch(/^ for programs /)
})

test('members cancel what runs; whoever only looks has no button and is refused; what a provider keeps says why', async () => {
  const queued = taskOf({ id: 'vt_queued', phase: 'admitting' })
  gateway.tasks = [queued, taskOf({ id: 'vt_run' }), done]
  const cancel = (person: string, id: string) => ask(person, `${path}/${id}/cancel`, {})
  expect(await page(`${path}/vt_run`)).not.toContain('vt_run/cancel')
  expect((await cancel('vera', 'vt_run')).status).toBe(403)
  expect(await (await ask('mo', `${path}/vt_run`)).text()).toContain(`action="${path}/vt_run/cancel"`)
  expect(await (await ask('mo', `${path}/vt_done`)).text()).not.toContain('/cancel"')
  const kept = await cancel('mo', 'vt_run')
  expect([kept.status, await kept.text()]).toEqual([409, expect.stringContaining('A provider offers no cancel.')])
  const ended = await cancel('mo', 'vt_queued')
  expect([ended.status, ended.headers.get('location')]).toEqual([303, `${path}/vt_queued`])
  expect(await page(`${path}/vt_queued`)).toContain('The task was cancelled.')
  expect((await cancel('mo', 'vt_gone')).status).toBe(404)
  expect((await cancel('stranger', 'vt_run')).status).toBe(404)
})

test('a running task is waited for at the gateway, and then told whole', async () => {
  gateway.seen.length = 0
  const answer = await ask('vera', `${path}/vt_run/live`, undefined, { accept: 'application/json' })
  expect(await answer.json()).toMatchObject({ status: 'processing', content: expect.stringContaining('The video is being made') })
  expect(gateway.seen[0]?.headers.get('prefer')).toBe('wait=20')
})

test('the fifth page of a person that waits is answered as things are, and told that it was not held', async () => {
  gateway.seen.length = 0
  const end = Promise.withResolvers<void>()
  gateway.heldUntil = end.promise
  const live = async () => {
    const answer = await ask('vera', `${path}/vt_run/live`, undefined, { accept: 'application/json' })
    return (await answer.json()) as { status: string; held: boolean }
  }
  const waiting = () => gateway.seen.filter(({ headers }) => headers.get('prefer') === 'wait=20')
  const four = Array.from({ length: 4 }, live)
  await until('four wait', async () => waiting().length === 4)
  expect(await live()).toMatchObject({ status: 'processing', held: false })
  end.resolve()
  expect((await Promise.all(four)).map(({ held }) => held)).toEqual([true, true, true, true])
  expect([(await live()).held, waiting().length]).toEqual([true, 5])
})

test('a task that is not the account’s, and an account that is not the person’s, are not there', async () => {
  for (const [person, at] of [
    ['vera', `${path}/vt_gone`],
    ['vera', `${path}/${encodeURIComponent('../a2/tasks/vt_run')}`],
    ['stranger', path],
    ['stranger', `${path}/vt_done`],
    ['stranger', `${path}/live?ids=vt_done`],
  ] as const)
    expect((await ask(person, at)).status).toBe(404)
})

test('a download is a file with the prompt’s words as its name, and only its account’s', async () => {
  await outputStore.put('v.mp4', new Uint8Array([1, 2, 3]), { contentType: 'video/mp4' })
  gateway.tasks = [{ ...done, prompt: 'A paper boat / 종이배, "close"' }, failed]
  const answer = await ask('vera', `${path}/vt_done/video`)
  expect(answer.status).toBe(303)
  const file = await fetch(answer.headers.get('location') ?? '')
  expect([file.status, file.headers.get('content-type'), (await file.bytes()).length]).toEqual([200, 'video/mp4', 3])
  expect(file.headers.get('content-disposition')).toBe(
    `attachment; filename="a-paper-boat-_-close-t_done.mp4"; filename*=UTF-8''a-paper-boat-%EC%A2%85%EC%9D%B4%EB%B0%B0-close-t_done.mp4`,
  )
  expect((await ask('vera', `${path}/vt_failed/video`)).status).toBe(404)
  expect((await ask('stranger', `${path}/vt_done/video`)).status).toBe(404)
  expect(await page(`${path}/vt_done`)).toContain(`href="${path}/vt_done/video">Download</a>`)
})

test('a file’s name has at most 60 characters of the prompt, and the id where the prompt gives none', () => {
  const long = fileNameOf({
    id: 'vt_abcdefghij',
    prompt: 'A slow crane shot over a harbour town at first light, gulls over wet slate roofs',
  })
  expect(long).toBe('a-slow-crane-shot-over-a-harbour-town-at-first-light-gulls-efghij.mp4')
  expect(fileNameOf({ id: 'vt_1', prompt: '…?!' })).toBe('filmgate-vt_1.mp4')
  expect(fileNameOf({ id: 'vt_1', prompt: null })).toBe('filmgate-vt_1.mp4')
})

test('the story has the seconds of each step and of the whole', async () => {
  const event = (at: string, summary: string) => ({ at: `2026-11-20T10:${at}Z`, kind: 'x', summary })
  gateway.story.events = [
    event('00:00.412', 'Credits are held'),
    event('00:02.000', 'Accepted'),
    event('01:14.000', 'The video is in storage'),
  ]
  const story = /<ol class="story">.*in all\.<\/p>/s.exec(await page(`${path}/vt_done`))?.[0] ?? ''
  expect([...story.matchAll(/class="took">([^<]*)</g)].map(([, took]) => took)).toEqual(['0.4 s', '1.6 s', '1 min 12 s'])
  expect(story).toContain('It took 1 min 14 s in all.')
  expect(await page(`${path}/vt_run`)).not.toContain('in all.')
  expect([-5, 9_940, 9_960, 59_400, 59_600, 3_599_400, 4_200_000].map(tookText)).toEqual([
    ...['0.0 s', '9.9 s', '10 s', '59 s', '1 min 0 s', '59 min 59 s', '1 h 10 min'],
  ])
})

test('a running task says what it waits for and until when; one that has ended, and one of an older gateway, say nothing', async () => {
  const waitsFor = async (waiting: typeof gateway.story.waiting) => {
    gateway.story.waiting = waiting
    return /<div class="making-of">(.*?)<\/div>/s.exec(await page(`${path}/vt_run`))?.[1]?.replace(/<[^>]*>/g, ' ')
  }
  const until = '2026-11-20T12:00:00.000Z'
  expect(await waitsFor({ for: 'provider', until })).toMatch(
    /waits for the provider to finish the video, until {1,2}20 Nov 2026, 12:00 UTC {1,2}at the latest\. Then it is looked into/,
  )
  expect(await waitsFor({ for: 'file', until })).toMatch(/gives no file of it yet\. It is asked again, until {1,2}20 Nov 2026, 12:00/)
  expect(await waitsFor({ for: 'outcome', until: null })).toMatch(
    /The credits stay held until then: they are charged for a video, and returned without one\. .*You can leave it\. $/,
  )
  const silent = await waitsFor(undefined)
  expect([await waitsFor(null), await waitsFor({ for: 'something later', until })]).toEqual([silent, silent])
})

test('the page shows the request’s fields and files: an upload by its picture, another address by its host alone', async () => {
  await outputStore.put('a1/0123456789012345678901.png', new Uint8Array([7]), { contentType: 'image/png' })
  const upload = (name: string, account = 'a1') => `https://uploads.filmgate.internal/${account}/${name}.png`
  gateway.story.request = {
    ...{ resolution: '768p', duration: 5, aspect_ratio: '9:16', generate_audio: false },
    image_url: upload('0123456789012345678901'),
    reference_image_urls: [
      upload('9876543210987654321098'),
      upload('0123456789012345678901', 'a2'),
      'https://cdn.example.com/a/b.png?sig=1',
    ],
  }
  const html = await page(`${path}/vt_done`)
  const details = /<dl class="details">.*?<\/dl>/s.exec(html)?.[0].replace(/<[^>]*>/g, ' ') ?? ''
  expect(details).toMatch(/Aspect ratio +9:16/)
  expect(details).toMatch(/Generate audio +No/)
  const files = [...(/<ul class="files inputs">(.*?)<\/ul>/s.exec(html)?.[1] ?? '').matchAll(/<li>(.*?)<\/li>/gs)].map(
    ([, item = '']) => item,
  )
  expect(
    files.map(item =>
      item
        .replace(/<[^>]*>/g, ' ')
        .replace(/ +/g, ' ')
        .trim(),
    ),
  ).toEqual([
    'First frame Open the upload',
    'Reference images Uploads are deleted after a day.',
    'Reference images uploads.filmgate.internal/…/0123456789012345678901.png',
    'Reference images cdn.example.com/…/b.png',
  ])
  const shown = /<img src="([^"]+)"/.exec(files[0] ?? '')?.[1] ?? ''
  const seen = await ask('vera', shown)
  expect([seen.status, (await (await fetch(seen.headers.get('location') ?? '')).bytes())[0]]).toEqual([303, 7])
  for (const other of ['2', '3', '4', 'x']) expect((await ask('vera', `${path}/vt_done/inputs/${other}`)).status).toBe(404)
  expect((await ask('stranger', shown)).status).toBe(404)
  expect(files.slice(1).join('')).not.toContain('<img')
  storeAnswers = false
  const unknown = await page(`${path}/vt_done`)
  storeAnswers = true
  expect(unknown).toContain('The store of uploads does not answer.')
  expect(unknown).not.toContain('Uploads are deleted after a day.')
})
