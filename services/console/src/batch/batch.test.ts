import { afterAll, beforeEach, expect, test } from 'bun:test'
import { isFormId, newFormId } from '../http/submit-once'
import { startTestConsole } from '../testing/console-and-gateway'

const { ask, addMember, gateway, stop } = await startTestConsole({})
afterAll(stop)
await addMember('a1', 'mia', 'member')
await addMember('a1', 'vera', 'viewer')

const path = '/accounts/a1/playground/batch'
const batch = newFormId()
type Sent = { id: string; fields: URLSearchParams; credits: number }
const check = async (text: string, { choice = 'alpha-h3 text-to-video', id = batch, person = 'mia' } = {}) => {
  const answer = await ask(person, path, { batch: id, choice, text })
  const html = await answer.text()
  const rows: Sent[] = [...html.matchAll(/data-row="([^"]+)" data-fields="([^"]+)" data-credits="(\d+)"/g)].map(
    ([, id = '', fields = '', credits]) => ({
      id,
      fields: new URLSearchParams(fields.replaceAll('&amp;', '&')),
      credits: Number(credits),
    }),
  )
  return { status: answer.status, html, rows }
}
const estimates = () => gateway.seen.filter(({ path }) => path === '/accounts/a1/estimate')

beforeEach(() => {
  Object.assign(gateway, { available: 500, starter: 40, estimates: [] })
  gateway.seen.length = 0
})

test('lines are prompts, also with commas; each is priced, the settings once, with what is left', async () => {
  const { status, html, rows } = await check('A paper boat, in rain\r\n\n  A kite \nFog')
  expect(status).toBe(200)
  expect(rows.map(({ fields }) => fields.get('prompt'))).toEqual(['A paper boat, in rain', 'A kite', 'Fog'])
  expect(html).toContain('150 credits for 3 videos')
  expect(html).toContain('<dt>Paid balance after</dt><dd>390</dd>')
  expect(html).toContain('value="150" aria-describedby="budget-hint"')
  expect(estimates()).toHaveLength(1)
})

test('CSV: columns are fields, an empty cell is the default, quotes keep commas and lines', async () => {
  const text = '\uFEFFPrompt, duration ,resolution\n"A ""paper"" boat,\nin rain",8,2k\nKite,,\n'
  const { rows, html } = await check(text)
  expect(rows.map(({ fields }) => Object.fromEntries(fields))).toEqual([
    {
      model: 'alpha-h3',
      mode: 'text-to-video',
      max_credits: '80',
      prompt: 'A "paper" boat,\nin rain',
      duration: '8',
      resolution: '2k',
      aspect_ratio: '16:9',
    },
    {
      model: 'alpha-h3',
      mode: 'text-to-video',
      max_credits: '50',
      prompt: 'Kite',
      duration: '5',
      resolution: '768p',
      aspect_ratio: '16:9',
    },
  ])
  expect(html).toContain('130 credits for 2 videos')
  expect(estimates()).toHaveLength(2)
})

test('a box is sent as the playground’s form sends it', async () => {
  const { rows, html } = await check('prompt,generate_audio\nA,true\nB,false\nC,\nD,yes', { choice: 'delta-2.6 text-to-video' })
  expect(rows.map(({ fields }) => fields.get('generate_audio'))).toEqual(['true', null, null])
  expect(html).toContain('generate_audio must be true or false.')
  expect(html).toContain('1 row has an error and will be left out.')
  expect((await check('prompt,generate_audio\nA,TRUE', { choice: 'delta-2.6 text-to-video' })).rows[0]?.fields.get('generate_audio')).toBe(
    'true',
  )
})

test('cells are separated as spreadsheets do, too; a column without a name is left out', async () => {
  for (const text of [
    'prompt;duration\nA, with a comma;8',
    'prompt\tduration\nA, with a comma\t8',
    'prompt,duration,\n"A, with a comma",8,',
  ])
    expect((await check(text)).rows.map(({ fields }) => [fields.get('prompt'), fields.get('duration')])).toEqual([['A, with a comma', '8']])
})

test('what is sent is never dearer than what was shown, whatever a row allows', async () => {
  expect((await check('prompt,max_credits\nA,1000')).rows[0]?.fields.get('max_credits')).toBe('50')
})

test('a prompt that is too long for the model is said before it is sent', async () => {
  const { html, rows } = await check(`${'a'.repeat(7_001)}\nB`)
  expect(html).toContain('The prompt has 7,001 characters, and the model takes 7,000.')
  expect(rows).toHaveLength(1)
})

test('a model or a mode that is gone is never replaced by another', async () => {
  for (const choice of ['gone text-to-video', 'alpha-h3 gone', 'delta-2.6 media-to-video'])
    expect((await check('A', { choice })).status).toBe(400)
})

test('what is wrong with the whole is said at the field, and the text is kept', async () => {
  const many = (count: number) => Array.from({ length: count }, (_, index) => `${index}`).join('\n')
  const cases: [string, string][] = [
    [' \n', 'Enter a prompt, or choose a file.'],
    ['prompt,duration', 'There is a header, but no row below it.'],
    [many(101), 'There are 101 rows. A batch has at most 100.'],
    ['prompt,colour\nA,red', 'This model has no colour in this mode. Columns can be: prompt, duration,'],
    ['prompt,duration\nA,5\nB, with a comma,5', 'A row near line 3 has more or fewer cells than the header.'],
    ['prompt\n"A', 'The CSV can’t be read'],
    [`prompt,duration\n${Array.from({ length: 11 }, (_, index) => `A,${index + 4}`).join('\n')}`, 'The rows have 11 different settings.'],
    ['prompt,__proto__\nA,1', 'This model has no __proto__ in this mode.'],
  ]
  for (const [text, issue] of cases) {
    const { status, html, rows } = await check(text)
    expect([text.slice(0, 20), status, rows.length]).toEqual([text.slice(0, 20), 400, 0])
    expect(html).toContain(issue)
  }
  expect((await check('<b>prompt,x')).html).toContain('&lt;b&gt;prompt,x</textarea>')
})

test('a row that the gateway refuses says why; the others stay', async () => {
  const issues = [{ path: 'duration', rule: 'maximum', message: 'duration must be from 4 to 15, and is 99' }]
  gateway.estimates.push({ status: 400, body: { error: { code: 'invalid_request', message: 'No.', details: { issues } } } })
  const { html, rows } = await check('prompt,duration\nA,99\nB,5')
  expect(html).toContain('Duration must be from 4 to 15, and is 99.')
  expect(rows.map(({ fields }) => fields.get('prompt'))).toEqual(['B'])
})

test('the ids of rows are form ids, the same wherever and whenever a row is checked in its batch, and others elsewhere', async () => {
  const first = (await check('A\nB\nA')).rows.map(({ id }) => id)
  expect(first.every(isFormId)).toBe(true)
  expect(new Set(first).size).toBe(3)
  const [later, other] = [await check('New\nB\nA\nA'), await check('A\nB\nA', { id: newFormId() })]
  expect(later.rows.map(({ id }) => id).slice(1)).toEqual([first[1], first[0], first[2]] as string[])
  expect(other.rows.some(({ id }) => first.includes(id))).toBe(false)
  // A price that changed meanwhile is another limit under the same id: the gateway refuses it, and makes no second video.
  gateway.estimates.push({
    body: {
      credits: 60,
      breakdown: [],
      available: true,
      within_max_credits: true,
      sufficient_credits: true,
      available_credits: 500,
      starter_credits: 0,
    },
  })
  expect((await check('A')).rows.map(({ id, credits }) => [id, credits])).toEqual([[first[0] as string, 60]])
})

test('a viewer sees the prices and no button; credits that do not suffice are said; a form of no batch is refused', async () => {
  const seen = await check('A', { person: 'vera' })
  expect(seen.html).toContain('50 credits for 1 video')
  expect(seen.html).not.toContain('id="make"')
  gateway.available = 30
  expect((await check('A\nB')).html).toContain('You have 70 credits.')
  expect((await check('A', { id: 'x' })).status).toBe(400)
  expect((await ask('mia', path, { choice: '', text: 'A' })).status).toBe(400)
})
