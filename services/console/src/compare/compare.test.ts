import { afterAll, beforeEach, expect, test } from 'bun:test'
import { newFormId } from '../http/submit-once'
import { startTestConsole } from '../testing/console-and-gateway'
import { taskOf } from '../testing/serve-videos'

const { ask, addMember, gateway, sql, stop } = await startTestConsole({})
afterAll(stop)
await addMember('a1', 'mia', 'member')
await addMember('a1', 'vera', 'viewer')

const path = '/accounts/a1/playground/compare'
const script = { accept: 'application/json' }
const formOf = (more: Record<string, string> = {}) => ({
  form: `${newFormId()} ${newFormId()}`,
  models: 'alpha-h3 delta-2.6',
  mode: 'text-to-video',
  prompt: 'A paper boat',
  ...more,
})
const sent = () => gateway.seen.filter(({ path }) => path === '/accounts/a1/generations')
const refused = (status: number, code: string, details?: object) => ({
  status,
  body: { error: { code, message: `said: ${code}`, details } },
})

beforeEach(() => {
  Object.assign(gateway, { available: 500, starter: 40, generations: [], estimates: [], tasks: [] })
  gateway.seen.length = 0
})

test('the form has what all the models take, one form id a model, and the sum of the prices', async () => {
  const html = await (await ask('mia', `${path}?model=alpha-h3&model=delta-2.6&prompt=Rain`)).text()
  expect([...html.matchAll(/id="field-([a-z_]+)"/g)].map(([, name]) => name)).toEqual(['prompt', 'duration', 'aspect_ratio', 'max_credits'])
  expect(html).toContain('<option value="5" selected>5 s</option><option value="10">10 s</option>')
  expect(html).toContain('Rain</textarea>')
  expect(/name="form" value="([^"]+)"/.exec(html)?.[1]?.split(' ')).toHaveLength(2)
  expect(html).toContain('100 <span class="unit">credits</span>')
  expect(html).toContain('<dt>Starter credits after</dt><dd>0</dd>')
  expect(html).toContain('<dt>Paid balance after</dt><dd>440</dd>')
  expect(html).toContain('<button class="make">Make 2 videos</button>')
  expect(html).not.toContain('From references')
})

test('too few models, unknown ones, and more than four', async () => {
  for (const query of ['', '?model=alpha-h3', '?model=alpha-h3&model=alpha-h3', '?model=alpha-h3&model=nope'])
    expect(await (await ask('mia', `${path}${query}`)).text()).toContain('Choose from two to 4 models.')
})

test('prices that together exceed the balances say so, though each alone would not', async () => {
  gateway.available = 50
  const answer = (await (await ask('mia', `${path}/estimate`, formOf(), script)).json()) as { price: string }
  expect(answer.price).toContain('You have 90 credits.')
})

test('an issue names its model, and the others keep their prices', async () => {
  const issues = [{ path: 'duration', rule: 'enum', message: 'duration must be 5 or 10, and is 6' }]
  gateway.estimates.push({ status: 400, body: { error: { code: 'invalid_request', message: 'No.', details: { issues } } } })
  const answer = (await (await ask('mia', `${path}/estimate`, formOf({ duration: '6' }), script)).json()) as {
    price: string
    issues: Record<string, string>
  }
  expect(Object.values(answer.issues)).toEqual([expect.stringMatching(/^(alpha-h3|delta-2\.6): Duration must be 5 or 10, and is 6\.$/)])
  expect(answer.price).toContain('check the fields')
  expect(answer.price).toContain('60 <span class="unit">credits</span>')
})

test('each model makes a video under an id of its own; the same form sent again makes no further one', async () => {
  const form = formOf({ duration: '5' })
  const first = await ask('mia', path, form)
  expect(first.status).toBe(303)
  const ids = new URL(first.headers.get('location') ?? '', 'http://c').searchParams.getAll('task')
  expect(ids.toSorted()).toEqual(['vt_1', 'vt_2'])
  await ask('mia', path, form, script)
  const keys = sent().map(({ headers }) => headers.get('idempotency-key'))
  expect(keys.toSorted()).toEqual([...form.form.split(' '), ...form.form.split(' ')].toSorted())
  expect(sent().map(({ body }) => (body as { model: string }).model)).toEqual(['alpha-h3', 'delta-2.6', 'alpha-h3', 'delta-2.6'])
  expect(sent()[0]?.body).toEqual({ model: 'alpha-h3', mode: 'text-to-video', prompt: 'A paper boat', duration: 5 })
  const acts = await sql`select subject from audit_act where act = 'video.made'`
  expect(acts.map(({ subject }) => subject).toSorted()).toEqual(['vt_1', 'vt_2'])
})

test('where one is refused, the other is shown, with why, and a way to try again', async () => {
  gateway.generations.push(refused(402, 'insufficient_credits'))
  const answer = await ask('mia', path, formOf(), script)
  const { path: next } = (await answer.json()) as { path: string }
  const html = await (await ask('mia', next)).text()
  expect(html).toContain('Your balances were too low for this one. Nothing was charged.')
  expect(html).toMatch(/playground\?task=vt_1&(amp;)?model=(alpha-h3|delta-2\.6)/)
})

test('a task whose outcome is not known is among the videos', async () => {
  gateway.tasks.push(taskOf({ id: 'vt_9', phase: 'uncertain' }))
  gateway.generations.push(refused(503, 'acceptance_uncertain', { task_id: 'vt_9' }), refused(402, 'insufficient_credits'))
  const { path: next } = (await (await ask('mia', path, formOf(), script)).json()) as { path: string }
  expect(next).toContain('task=vt_9')
  expect(await (await ask('mia', next)).text()).toContain('The outcome is being checked')
})

test('where all are refused, the form comes back: under new ids, or the same ones where it may be sent again', async () => {
  const form = formOf()
  gateway.generations.push(refused(402, 'insufficient_credits'), refused(402, 'insufficient_credits'))
  const page = await ask('mia', path, form)
  const html = await page.text()
  expect(page.status).toBe(402)
  expect(html).toContain('Your balances are too low for this video. Nothing was charged.')
  expect(html).not.toContain(form.form)
  gateway.generations.push(refused(402, 'insufficient_credits'), refused(503, 'service_unavailable'))
  const again = (await (await ask('mia', path, form, script)).json()) as { form: string; notice: string }
  expect(again.form).toBe(form.form)
  expect(again.notice).toMatch(/: said: service_unavailable(<br>|$)/)
  expect(again.notice).toMatch(/: Your balances are too low for this video\. Nothing was charged\./)
})

test('forms that are not of the page are refused, and nothing is made', async () => {
  const id = newFormId()
  const wrong: Record<string, string>[] = [
    { form: id },
    { form: `${id} ${id}` },
    { form: 'x y' },
    { models: 'alpha-h3 nope' },
    { models: 'alpha-h3' },
    { models: '' },
  ]
  for (const more of wrong) expect((await ask('mia', path, formOf(more), script)).status).toBe(400)
  expect((await ask('vera', path, formOf(), script)).status).toBe(403)
  expect(sent()).toHaveLength(0)
})

test('videos side by side: those of the account alone, refusals by known models alone', async () => {
  gateway.tasks.push(
    taskOf({ id: 'vt_1', status: 'completed', output: { video_url: 'https://media.example.com/1.mp4' }, model: 'alpha-h3' }),
  )
  const html = await (
    await ask(
      'vera',
      `${path}/videos?task=vt_1&task=vt_404&refused=%3Cb%3E+400+x&refused=delta-2.6+503+odd&refused=beta-2.0-fast+409+idempotency_key_reused`,
    )
  ).text()
  expect(html).toContain('src="https://media.example.com/1.mp4"')
  expect(html).toContain('delta-2.6')
  // Nobody knows what became of it.
  expect(html).toContain('It is not known what became of this one.')
  expect(html).not.toContain('Nothing was charged')
  expect(html).not.toContain('<b>')
  const live = (await (await ask('vera', `${path}/live?ids=vt_1,vt_404`, undefined, script)).json()) as {
    tasks: { id: string; card: string }[]
  }
  expect(live.tasks.map(({ id }) => id)).toEqual(['vt_1'])
  expect(live.tasks[0]?.card).toContain('<h2><a class="title"')
  for (const query of ['', '?task=vt_404', '?task=%00']) expect((await ask('vera', `${path}/videos${query}`)).status).toBe(404)
})

test('a model that can not make it is in no sum, and nothing is sent for it', async () => {
  const body = {
    credits: 50,
    breakdown: [],
    within_max_credits: true,
    sufficient_credits: true,
    available_credits: 500,
    starter_credits: 0,
  }
  gateway.estimates.push({ body: { ...body, available: false } }, { body: { ...body, available: true } })
  const html = await (await ask('mia', `${path}?model=alpha-h3&model=kappa-02`)).text()
  expect(html).toContain('50 <span class="unit">credits</span>')
  expect(html).toContain('Not available now: kappa-02. Choose others.')
  expect(html).toContain('<button class="make" disabled>')
})

test('what a request that never came back made is not known, and the others are shown', async () => {
  gateway.generations.push({ status: 202, body: null }, { status: 202, body: taskOf({ id: 'vt_1' }) })
  gateway.tasks.push(taskOf({ id: 'vt_1' }))
  const { path: next } = (await (await ask('mia', path, formOf(), script)).json()) as { path: string }
  expect(await (await ask('mia', next)).text()).toContain('It is not known what became of this one.')
})

test('a gateway that answers nothing refuses all, and says so', async () => {
  gateway.estimates.push(refused(503, 'service_unavailable'), refused(503, 'service_unavailable'))
  const html = await (await ask('mia', `${path}?model=alpha-h3&model=delta-2.6`)).text()
  expect(html).toContain('said: service_unavailable')
  expect(html).toContain('<p class="figure">–')
})
