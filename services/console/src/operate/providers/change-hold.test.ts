import { afterAll, beforeAll, beforeEach, expect, setDefaultTimeout, test } from 'bun:test'
import { type OperateSystem, startOperateSystem, wholeForm } from '../testing/operate-system'

setDefaultTimeout(60_000)

let system: OperateSystem
beforeAll(async () => {
  system = await startOperateSystem()
})
afterAll(() => system?.stop())
beforeEach(async () => {
  system.services.reset()
  await system.sql`truncate operator_act, form_taken`
})

const pathOf = (verb: string) => `/operate/providers/fal/${verb}`

test.each([
  ['pause', '', {}, 'fal gets no new orders.'],
  ['pause', 'alpha-h3', { model: 'alpha-h3' }, 'alpha-h3 at fal gets no new orders.'],
  ['resume', '', {}, 'fal gets new orders again.'],
])('the form to %s of model %p acts in the person’s name and with the reason, and is kept', async (verb, model, details, says) => {
  const answer = await system.send(pathOf(verb), 'support', wholeForm({ model, reason: 'its bad hour' }))
  expect(system.services.acts()).toEqual([
    {
      ...{ service: 'dispatcher', method: 'POST', path: `/providers/fal/${verb}`, operator: 'support@example.com' },
      body: { reason: 'its bad hour', ...details },
    },
  ])
  expect(await (await system.ask(answer.headers.get('location') ?? '', 'support')).text()).toContain(says)
  expect([...(await system.sql`select act, subject, reason, details, outcome from operator_act`)]).toEqual([
    { act: `provider_${verb}d`, subject: 'fal', reason: 'its bad hour', details, outcome: 'done' },
  ])
})

test('the page says what keeps new orders from a provider, with a form to pause it and one to resume what is held', async () => {
  const text = await (await system.ask('/operate/providers', 'support')).text()
  expect(text).toContain('no balance since')
  expect(text).toMatch(/answered 402 \(next try from .*UTC/)
  for (const verb of ['pause', 'resume']) expect(text.split(`action="${pathOf(verb)}"`).length).toBe(2)
  const read = await (await system.ask('/operate/providers', 'read')).text()
  expect([read.includes('answered 402'), read.includes(`action="${pathOf('pause')}"`)]).toEqual([true, false])
})

test('a pause that was refused leaves its model chosen, so that a second try does not pause all of them', async () => {
  system.services.answers.set('POST /providers/fal/pause', {
    refusedWith: 409,
    code: 'hold_in_force',
    message: 'New orders are paused there already.',
  })
  const answer = await system.send(pathOf('pause'), 'support', wholeForm({ model: 'alpha-h3', reason: 'its bad hour' }))
  const text = await (await system.ask(answer.headers.get('location') ?? '', 'support')).text()
  expect(text).toContain('New orders are paused there already.')
  expect(text).toContain('<option selected>alpha-h3</option>')
})
