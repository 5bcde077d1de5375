import { expect, test } from 'bun:test'
import type { OutcomeAttempt, Outcomes } from '@filmgate/proto/operator/provider'
import { readPeriod } from '../layout/period'
import { operateSystemForTests } from '../testing/operate-system'

const system = operateSystemForTests()
const textOf = async (path: string) => (await system.ask(path, 'read')).text()
const asked = () => system.services.calls.filter(({ path }) => path.includes('/outcomes')).map(({ path, query }) => `${path}?${query}`)

const quiet = {
  ...{ provider: 'vidu', model: 'iota-q3-turbo', attempts: 9, open: 0, completed: 9 },
  seconds_p50: 61.25,
  seconds_p95: 90,
  failures: [],
}
const failing = {
  ...{ provider: 'fal', model: 'alpha-h3', attempts: 5, open: 1, completed: 2, seconds_p50: 30, seconds_p95: 31 },
  failures: [{ state: 'failed', code: 'generation_failed', attempts: 2 }],
}
const hold = {
  provider: 'fal',
  model: null,
  cause: 'paused',
  reason: 'its <bad> hour',
  by: 'ada',
  started_at: '2026-11-03T10:00:00Z',
  probe_at: null,
  probes: 0,
}
const answer = (outcomes: Outcomes) => system.services.answers.set('dispatcher GET /outcomes', outcomes)

test('the status page shows the share of completed attempts, held providers with the reason, and the most failures first', async () => {
  answer({ data: [quiet, failing], holds: [hold] })
  const text = await textOf('/operate?from=2026-11-03T00:00&to=2026-11-04T00:00')
  expect(text).toContain('84.6 %')
  expect(text).toContain('11 of 13 attempts that ended')
  expect(text).toMatch(/New orders are held from <a [^>]*>fal<\/a>: paused since .* by ada: its &lt;bad&gt; hour/)
  expect(text.indexOf('>fal<')).toBeLessThan(text.indexOf('>vidu<'))
  const query = 'provider=fal&amp;model=alpha-h3&amp;from=2026-11-03T00%3A00%3A00.000Z&amp;to=2026-11-04T00%3A00%3A00.000Z'
  expect(text).toContain(`/operate/attempts?${query}&amp;state=failed&amp;code=generation_failed">2 generation failed</a>`)
  expect(text).toContain(`/operate/attempts?${query}&amp;state=open">1</a>`)
  expect(asked()).toEqual(['/outcomes?from=2026-11-03T00%3A00%3A00.000Z&to=2026-11-04T00%3A00%3A00.000Z'])
})

test('nothing that ended is no share, and one failure in many is not all of them', async () => {
  answer({ data: [], holds: [] })
  expect(await textOf('/operate')).toContain('no attempt has ended in this period')
  answer({ data: [{ ...failing, completed: 99_999 }], holds: [] })
  expect(await textOf('/operate')).toContain('99.9 %')
})

test('a dispatcher that does not respond is said to, beside what the others answered', async () => {
  system.services.answers.set('dispatcher GET /outcomes', 'silent')
  expect(await textOf('/operate')).toContain('The dispatcher does not respond.')
})

test('a period is the last day, or as asked; what is no moment goes on as it is, for the dispatcher to refuse', () => {
  const now = Date.parse('2026-11-03T12:00:00Z')
  const read = (query: string) => readPeriod(`http://console/operate${query}`, [24, 1, 168], now)
  const to = '2026-11-03T12:00:00.000Z'
  expect(read('')).toEqual({ from: '2026-11-02T12:00:00.000Z', to, hours: 24 })
  expect(read('?hours=1')).toEqual({ from: '2026-11-03T11:00:00.000Z', to, hours: 1 })
  expect(read('?hours=5')).toMatchObject({ hours: 24 })
  expect(read('?from=2026-11-01T00:00')).toEqual({ from: '2026-11-01T00:00:00.000Z', to, hours: undefined })
  expect(read('?from=x')).toMatchObject({ from: 'x' })
})

test('a count leads to its attempts, each with its task, account and the provider’s answer, a page at a time', async () => {
  const attempt: OutcomeAttempt = {
    ...{ id: 'at_1', task_id: 'vt_1', account_id: 'acct_1', provider: 'fal', model: 'alpha-h3', state: 'failed' },
    ...{ code: 'generation_failed', cause: 'answered <500>', created_at: '2026-11-03T10:00:00Z', ended_at: '2026-11-03T10:01:00Z' },
  }
  system.services.answers.set('dispatcher GET /outcomes/attempts', { data: [attempt], next_cursor: 'at_1' })
  const text = await textOf('/operate/attempts?provider=fal&code=generation_failed&from=2026-11-03T00:00&to=2026-11-04T00:00')
  for (const words of [
    '/operate/tasks/vt_1',
    '/operate/accounts/acct_1',
    'answered &lt;500&gt;',
    'cursor=at_1',
    'code <b>generation failed</b>',
  ])
    expect(text).toContain(words)
  expect(asked()).toEqual([
    '/outcomes/attempts?from=2026-11-03T00%3A00%3A00.000Z&to=2026-11-04T00%3A00%3A00.000Z&provider=fal&code=generation_failed',
  ])
})
