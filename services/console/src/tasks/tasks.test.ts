import { afterAll, beforeEach, expect, test } from 'bun:test'
import { until } from '@filmgate/kit/testing'
import { startTestConsole } from '../testing/console-and-gateway'
import { taskOf } from '../testing/serve-videos'

const { ask, addMember, gateway, stop } = await startTestConsole()
afterAll(stop)
await addMember('a1', 'vera', 'viewer')

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
  error: { code: 'generation_failed', message: 'The provider could not make it.' },
  surface: 'api',
})
beforeEach(() => {
  gateway.tasks = [taskOf({ id: 'vt_run' }), done, failed]
  gateway.story = { events: [], entries: [] }
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
  gateway.seen.length = 0
  await page(`${path}?status=constructor&surface=x`)
  expect(gateway.seen.at(-1)?.query.toString()).toBe('limit=24')
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
  expect(html).toContain(
    '/accounts/a1/playground?model=alpha-h3&amp;mode=text-to-video&amp;prompt=%3Cscript%3Ealert%281%29%3C%2Fscript%3E&amp;resolution=768p&amp;duration=5',
  )
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

test('a failed task says why, and that nothing was charged', async () => {
  const html = await page(`${path}/vt_failed`)
  expect(html).toContain('The provider could not make it.')
  expect(html).toContain('Nothing was charged')
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
