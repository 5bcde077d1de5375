import { afterAll, expect, test } from 'bun:test'
import { testBucket } from '@filmgate/kit/testing'
import type { StripeApi } from '../billing/stripe/stripe-api'
import { newFormId } from '../http/submit-once'
import { startTestConsole } from '../testing/console-and-gateway'
import { taskOf } from '../testing/serve-videos'

const { store: uploadStore } = await testBucket()
let storeAnswers = true
const { ask, addMember, gateway, sql, stop } = await startTestConsole({
  uploadStore,
  headUpload: key => (storeAnswers ? uploadStore.head(key) : Promise.reject(new Error('no answer'))),
  stripe: {} as StripeApi,
})
afterAll(stop)
await addMember('a1', 'olga', 'owner')
await addMember('a1', 'mia', 'member')
await addMember('a1', 'vera', 'viewer')

const path = '/accounts/a1/playground'
const script = { accept: 'application/json' }
type EstimateView = { price: string; issues: Record<string, string>; examples: Record<string, string> }
const filledForm = (more: Record<string, string> = {}) => ({
  form: newFormId(),
  model: 'alpha-h3',
  mode: 'text-to-video',
  prompt: 'A paper boat',
  ...more,
})
const sent = () => gateway.seen.filter(({ path }) => path === '/accounts/a1/generations')
const fieldNames = (html: string) => [...html.matchAll(/id="field-([a-z_]+)"/g)].map(([, name]) => name)

test('the form has a field for each property of the mode, with its bounds and its default', async () => {
  const html = await (await ask('mia', `${path}?model=alpha-h3&mode=image-to-video`)).text()
  expect(fieldNames(html)).toEqual(['prompt', 'image_url', 'end_image_url', 'duration', 'resolution', 'aspect_ratio', 'max_credits'])
  expect(html).toContain('type="number" inputmode="numeric" step="1" min="4" max="15" value="5"')
  expect(html).toContain('<option value="768p" selected>768p</option><option value="2k">2k</option>')
  expect(html).toContain('JPEG, PNG or WebP, at most 30 MiB, 256–5760 px per side.')
  expect(html).toContain('kappa-02 (not available now)')
})

test('what an address says is in the form, and a mode that the model has not is its own default', async () => {
  const html = await (
    await ask('mia', `${path}?model=delta-2.6&mode=media-to-video&prompt=${encodeURIComponent('<b>rain')}&duration=10`)
  ).text()
  expect(html).toContain('name="mode" value="text-to-video"')
  expect(html).toContain('&lt;b&gt;rain</textarea>')
  expect(html).toContain('<option value="10" selected>10 s</option>')
})

test('a price is asked for the fields, what is missing stands in, and the program says what the form says', async () => {
  gateway.seen.length = 0
  const answer = (await (
    await ask('mia', `${path}/estimate`, { model: 'alpha-h3', mode: 'image-to-video', duration: '8' }, script)
  ).json()) as EstimateView
  expect(gateway.seen.find(({ path }) => path === '/accounts/a1/estimate')?.body).toEqual({
    model: 'alpha-h3',
    mode: 'image-to-video',
    duration: 8,
    prompt: 'a video',
    image_url: 'https://example.com/first.png',
  })
  expect(answer.price).toContain('80 <span class="unit">credits</span>')
  expect(answer.price).toContain('<dt>Starter credits after</dt><dd>0</dd>')
  expect(answer.price).toContain('<dt>Paid balance after</dt><dd>460</dd>')
  expect(answer.issues).toEqual({})
  for (const text of Object.values(answer.examples)) {
    expect(text).toContain('https://api.example.com/api/v1/video/generations')
    expect(text).toContain('FILMGATE_API_KEY')
    expect(text).toContain('"duration": 8')
    expect(text).not.toContain('a video')
    expect(text).not.toContain('sk_live_')
  }
})

test('too few credits lead to billing', async () => {
  gateway.available = 3
  const answer = (await (await ask('mia', `${path}/estimate`, { model: 'alpha-h3', mode: 'text-to-video' }, script)).json()) as EstimateView
  gateway.available = 500
  expect(answer.price).toContain('You have 43 credits. <a href="/accounts/a1/billing">Buy credits</a>')
})

test('a video is asked for under the form’s id and leads to its task; the act is written once', async () => {
  gateway.seen.length = 0
  const form = filledForm({ duration: '6', watermark: '' })
  const first = await ask('mia', path, form)
  expect([first.status, first.headers.get('location')]).toEqual([303, `/accounts/a1/tasks/${gateway.tasks[0]?.id}`])
  gateway.generations.push({ status: 200, body: gateway.tasks[0] })
  expect(await (await ask('mia', path, form, script)).json()).toEqual({
    path: `/accounts/a1/tasks/${gateway.tasks[0]?.id}`,
    credits: 50,
    failed: false,
  })
  expect(sent().map(({ headers }) => headers.get('idempotency-key'))).toEqual([form.form, form.form])
  expect(sent()[0]?.body).toEqual({ model: 'alpha-h3', mode: 'text-to-video', prompt: 'A paper boat', duration: 6 })
  expect(sent()[0]?.headers.get('x-filmgate-person')).toBe('mia')
  const acts = await sql`select person_id, act, subject, details from audit_act where act = 'video.made'`
  expect([...acts]).toEqual([
    {
      person_id: 'mia',
      act: 'video.made',
      subject: gateway.tasks[0]?.id,
      details: { model: 'alpha-h3', mode: 'text-to-video', credits: 50 },
    },
  ])
})

test('what a refusal says of a field stands beside it, and the form gets a new id', async () => {
  const issues = [{ path: 'duration', rule: 'maximum', message: 'duration must be from 4 to 15, and is 99' }]
  gateway.generations.push({
    status: 400,
    body: { error: { code: 'invalid_request', message: 'The request is not valid.', details: { issues } } },
  })
  const form = filledForm({ duration: '99' })
  const answer = await ask('mia', path, form)
  const html = await answer.text()
  expect(answer.status).toBe(400)
  expect(html).toContain('<p class="issue" id="field-duration-issue">Duration must be from 4 to 15, and is 99.</p>')
  expect(html).toContain('value="99"')
  expect(html).not.toContain(form.form)
})

test('where nobody knows what became of it, the same form is sent again under the same id', async () => {
  const error = { code: 'acceptance_uncertain', message: 'It is not known yet.', details: { task_id: 'vt_9' } }
  gateway.generations.push({ status: 503, body: { error } })
  const form = filledForm()
  const answer = await ask('mia', path, form, script)
  expect([answer.status, await answer.json()]).toEqual([
    503,
    { form: form.form, issues: {}, notice: 'It is not known yet. <a href="/accounts/a1/tasks/vt_9">See the task</a>' },
  ])
})

test('who asks too often reads how long to wait, and keeps the form; who has too little is led to billing', async () => {
  const refused = (code: string) => ({ error: { code, message: 'For programs: see Retry-After.' } })
  gateway.generations.push({ status: 429, body: refused('rate_limited'), headers: { 'retry-after': '17' } })
  const form = filledForm()
  const early = await ask('mia', path, form)
  const page = await early.text()
  expect([early.status, early.headers.get('retry-after')]).toEqual([429, '17'])
  expect(page).toContain('Wait 17 seconds and try again')
  expect(page).toContain(form.form)
  const spent = { error: { ...refused('rate_limited').error, details: { limit: 'refusals' } } }
  gateway.generations.push({ status: 429, body: spent, headers: { 'retry-after': '301' } })
  expect(await (await ask('mia', path, filledForm())).text()).toContain(
    'were refused, or their media took too long to check. Nothing was charged. Wait 6 minutes',
  )
  gateway.generations.push({ status: 402, body: refused('insufficient_credits') })
  const poor = await ask('mia', path, filledForm())
  expect([poor.status, poor.headers.get('retry-after')]).toEqual([402, null])
  expect(await poor.text()).toContain('Nothing was charged. <a href="/accounts/a1/billing">Buy credits</a>')
})

test('who has too many unfinished tasks reads when the first review stops counting', async () => {
  const refused = (unfinished: object[]) => ({
    error: { code: 'unfinished_task_limit', message: 'Too many unfinished tasks.', details: { unfinished } },
  })
  const running = { task_id: 'vt_1', billing_status: 'reserved' }
  const reviews = ['2026-11-25T15:04:00.000Z', '2026-11-25T14:04:00.000Z'].map(until => ({
    task_id: 'vt_2',
    billing_status: 'review',
    until,
  }))
  gateway.generations.push({ status: 429, body: refused([...reviews, running]) })
  expect(await (await ask('mia', path, filledForm())).text()).toContain(
    'Too many unfinished tasks. A task whose outcome is being checked counts until 25 Nov 2026, 14:04 UTC at the latest. Its credits stay held.',
  )
  gateway.generations.push({ status: 429, body: refused([running]) })
  expect(await (await ask('mia', path, filledForm())).text()).not.toContain('counts until')
})

test('a budget that is too small says whose it is, what is left and when it begins anew', async () => {
  const refused = (details: object) => ({ error: { code: 'budget_exceeded', message: 'A budget …', details } })
  const month = { budget: 'member', period: 'month', required_credits: 9, left_credits: 3, resets_at: '2026-11-30T23:00:00.000Z' }
  gateway.generations.push({ status: 402, body: refused(month) })
  expect(await (await ask('mia', path, filledForm())).text()).toContain(
    'Your budget has 3 credits left, too few for this video. Nothing was charged. It begins anew at 30 Nov 2026, 23:00 UTC.',
  )
  gateway.generations.push({ status: 402, body: refused({ ...month, budget: 'account', resets_at: null }) })
  expect(await (await ask('mia', path, filledForm())).text()).toContain('An owner of the account can raise it.')
})

test('a viewer sees the form and why it is not theirs to send; a POST of theirs is refused before the gateway hears of it', async () => {
  gateway.seen.length = 0
  expect(await (await ask('vera', path)).text()).toContain('members and owners can create videos')
  expect((await ask('vera', path, filledForm())).status).toBe(403)
  expect((await ask('stranger', path, filledForm())).status).toBe(404)
  expect(sent()).toEqual([])
})

test('a form without an id of ours is refused', async () => {
  expect((await ask('mia', path, filledForm({ form: 'x' }))).status).toBe(400)
  expect((await ask('mia', path, filledForm({ form: 'x' }), { ...script, origin: 'https://evil.example' })).status).toBe(403)
})

test('the cards are read once as long as they are the same', async () => {
  gateway.seen.length = 0
  await ask('mia', path)
  const asked = gateway.seen.filter(({ path }) => path === '/models')
  expect(asked.every(({ headers }) => headers.get('if-none-match') === '"v1"')).toBe(true)
})

test('the form opens on the cheapest model that is available', async () => {
  expect(await (await ask('mia', path)).text()).toContain('<option value="delta-2.6" selected>')
})

test('another like a task keeps all of its request: its files, its settings, and a long prompt', async () => {
  const upload = 'https://uploads.filmgate.internal/a1/0123456789012345678901.png'
  await uploadStore.put('a1/0123456789012345678901.png', new Uint8Array([7]), { contentType: 'image/png' })
  const prompt = 'rain '.repeat(1_200).trim()
  gateway.tasks = [taskOf({ id: 'vt_like', model: 'alpha-h3', mode: 'media-to-video', prompt, duration_seconds: 8, resolution: '2k' })]
  const request = {
    ...{ aspect_ratio: '9:16', max_credits: 200, reference_image_urls: [upload, 'https://cdn.example.com/a.png'] },
    ...{ reference_video_urls: ['https://cdn.example.com/v.mp4'], reference_video_durations: [3] },
  }
  gateway.story.request = request
  const html = await (await ask('mia', `${path}?task=vt_like`)).text()
  const textOf = (name: string) => new RegExp(`name="${name}"[^>]*>([^<]*)</textarea>`).exec(html)?.[1]
  expect(['prompt', 'reference_image_urls', 'reference_video_urls'].map(textOf)).toEqual([
    ...[prompt, request.reference_image_urls.join('\n'), 'https://cdn.example.com/v.mp4'],
  ])
  expect(html).toMatch(/name="reference_video_durations"[^>]* value="3"/)
  for (const text of ['<option value="2k" selected>', '<option value="9:16" selected>', 'max="15" value="8"']) expect(html).toContain(text)
  expect(html).not.toContain('deleted by now')
  await uploadStore.remove(['a1/0123456789012345678901.png'])
  storeAnswers = false
  expect(await (await ask('mia', `${path}?task=vt_like`)).text()).toContain(upload)
  storeAnswers = true
  const later = await (await ask('mia', `${path}?task=vt_like`)).text()
  expect(later).toContain('Files that were uploaded for that video are deleted by now.')
  expect(later).not.toContain(upload)
  expect((await ask('mia', `${path}?task=vt_gone`)).status).toBe(404)
  gateway.story.request = null
})

test('a box that a person cleared stays clear when the form is shown again', async () => {
  const model = { model: 'delta-2.6', mode: 'text-to-video' }
  gateway.tasks = [taskOf({ id: 'vt_box', ...model })]
  const isChecked = async (generate_audio: boolean) => {
    gateway.story.request = { generate_audio }
    return /name="generate_audio"[^>]* checked/.test(await (await ask('mia', `${path}?task=vt_box`)).text())
  }
  expect([await isChecked(true), await isChecked(false)]).toEqual([true, false])
  gateway.story.request = null
})

test('the latest different prompts are offered again, and a task’s request for another model', async () => {
  const prompts = ['Rain', 'Fog', 'Rain', null, '<b>Snow']
  gateway.tasks = prompts.map((prompt, index) => taskOf({ id: `vt_p${index}`, prompt, duration_seconds: 10, surface: 'web' }))
  gateway.tasks.push(taskOf({ id: 'vt_api', prompt: 'Of a program', surface: 'api' }))
  const html = await (await ask('mia', `${path}?model=alpha-h3`)).text()
  const offered = /Recent prompts<\/summary><ul>(.*?)<\/ul>/s.exec(html)?.[1] ?? ''
  expect([...offered.matchAll(/<a [^>]*>([^<]*)<\/a>/g)].map(([, text]) => text)).toEqual(['Rain', 'Fog', '&lt;b&gt;Snow'])
  const other = await (await ask('mia', `${path}?task=vt_p0&model=delta-2.6`)).text()
  expect(other).toContain('name="model" value="delta-2.6"')
  expect(other).toContain('Rain</textarea>')
  expect(other).toContain('<option value="10" selected>10 s</option>')
})

test('a form for a model or a mode that is gone makes nothing', async () => {
  gateway.seen.length = 0
  const gone: Record<string, string>[] = [{ model: 'gone' }, { mode: 'gone' }, { model: 'delta-2.6', mode: 'media-to-video' }]
  for (const each of gone) expect((await ask('mia', path, filledForm(each), script)).status).toBe(400)
  expect(sent()).toHaveLength(0)
})

test('without the latest prompts the form is there all the same', async () => {
  gateway.tasksFail = true
  const html = await (await ask('mia', path)).text()
  gateway.tasksFail = false
  expect(html).toContain('id="field-prompt"')
  expect(html).not.toContain('Recent prompts')
})
