import { expect, test } from 'bun:test'
import { operateSystemForTests, wholeForm } from '../testing/operate-system'

const system = operateSystemForTests()

const reviewsPage = '/operate/reviews'
const chosen = `${reviewsPage}?provider=fal&from=2026-11-01&to=2026-11-02T08:30&outcome=refund`
const textOf = async (path: string, as: 'read' | 'support' | 'money') => (await system.ask(path, as)).text()
/** Sends a form, and the page that it leads to. */
async function perform(path: string, as: 'support' | 'money', fields: Record<string, string> = {}): Promise<string> {
  const answer = await system.send(path, as, wholeForm(fields))
  return textOf(answer.headers.get('location') ?? '', as)
}
const actsCalled = () => system.services.acts().map(({ path }) => path)
const lastAct = async () => (await system.sql`select act, subject, outcome, details from operator_act order by id desc limit 1`)[0]

test('the page shows how many are open and what was ended together; a choice shows what ending it would mean', async () => {
  const page = await textOf(reviewsPage, 'support')
  expect(page).toContain('17,700 are open')
  expect(page).toContain('0 of 1,200')
  expect(page).not.toContain('End 1,200 reviews')
  const preview = await textOf(chosen, 'support')
  for (const words of ['1,200 reviews', '48,000 held credits', '3 are left out', 'More than 100', 'End 1,200 reviews'])
    expect(preview).toContain(words)
  expect(preview).toContain('name="from" value="2026-11-01T00:00:00Z"')
  expect(await textOf(chosen, 'read')).not.toContain('method="post" action="/operate')
  expect(actsCalled()).toEqual([])
})

test('reviews are ended batch by batch, and the act is kept with its terms', async () => {
  system.services.answers.set('POST /bulk-review-ends/9/next', 'silent')
  const terms = { provider: 'fal', from: '2026-11-01T00:00:00Z', to: '2026-11-02T00:00:00Z', outcome: 'refund' }
  expect(await perform('/operate/bulk-review-ends', 'support', terms)).toContain('The outcome is unknown')
  expect(await lastAct()).toMatchObject({ act: 'reviews_ended', subject: 'fal', outcome: 'unknown', details: terms })
  system.services.reset()
  expect(await perform('/operate/bulk-review-ends', 'support', terms)).toContain('1,200 of 1,200 reviews are ended.')
  expect(actsCalled()).toEqual(['/bulk-review-ends', '/bulk-review-ends/9/next'])
  expect(system.services.acts()[0]?.body).toEqual({ ...terms, reason: 'because of a call' })
})

test('what needs a second operator waits; another one with the role money approves it, and no one else sees the form', async () => {
  system.services.answers.set('POST /bulk-review-ends', {
    ...((await (await fetch(`${system.services.urls.dispatcher}/operator/bulk-review-ends`, { headers })).json()) as { data: object[] })
      .data[0],
  })
  expect(await perform('/operate/bulk-review-ends', 'support')).toContain('1,200 reviews wait for a second operator')
  expect(await textOf(reviewsPage, 'support')).toContain('needs the role money')
  expect(await textOf(reviewsPage, 'money')).toContain('/operate/bulk-review-ends/7/approve')
  expect(await perform('/operate/bulk-review-ends/7/approve', 'money')).toContain('1,200 of 1,200 reviews are ended.')
  expect(await lastAct()).toMatchObject({ act: 'reviews_approved', subject: '7', outcome: 'done' })
})

test('a refusal says why and keeps the choice; an unfinished choice is refused before anything is asked', async () => {
  const refusal = { refusedWith: 404, code: 'no_reviews_fit', message: 'No open review of this provider fits. Nothing was done.' }
  system.services.answers.set('POST /bulk-review-ends', refusal)
  const page = await perform('/operate/bulk-review-ends', 'support', { from: '2026-11-01', to: '2026-11-02' })
  expect(page).toContain('No open review of this provider fits.')
  expect(page).toContain('End 1,200 reviews')
  system.services.reset()
  expect((await system.send('/operate/bulk-review-ends', 'support', wholeForm({ provider: '' }))).status).toBe(400)
  expect(system.services.calls).toEqual([])
})

const headers = { authorization: 'Bearer the-operators-token-of-a-test' }
