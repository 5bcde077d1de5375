import { expect, test } from 'bun:test'
import { operateSystemForTests, wholeForm } from '../testing/operate-system'

const system = operateSystemForTests()

const path = '/operate/providers/fal/close'

test('a provider’s silence is believed for the minutes of the form, in the person’s name and with the reason', async () => {
  const answer = await system.send(path, 'support', wholeForm({ minutes: '30', reason: 'their support wrote it' }))
  expect(system.services.acts()).toEqual([
    {
      ...{ service: 'dispatcher', method: 'POST', path: '/providers/fal/close', operator: 'support@example.com' },
      body: { reason: 'their support wrote it', minutes: 30 },
    },
  ])
  const page = await (await system.ask(answer.headers.get('location') ?? '', 'support')).text()
  expect(page).toContain('Tasks that fal does not know count as lost for 30 minutes.')
  expect([...(await system.sql`select act, subject, reason, details, outcome from operator_act`)]).toEqual([
    { act: 'provider_closed', subject: 'fal', reason: 'their support wrote it', details: { minutes: 30 }, outcome: 'done' },
  ])
})

test('minutes that are none, and a form without its reason, ask nothing of the dispatcher', async () => {
  for (const minutes of ['', '0', '1441', '1.5', '-3', '1e2'])
    expect([minutes, (await system.send(path, 'support', wholeForm({ minutes }))).status]).toEqual([minutes, 400])
  expect((await system.send(path, 'support', wholeForm({ reason: '' }))).status).toBe(400)
  expect(system.services.acts()).toEqual([])
})

test('there is a form for each provider that is on, for whoever has the role support', async () => {
  const forms = async (role: 'read' | 'support') => {
    const text = await (await system.ask('/operate/providers', role)).text()
    return [...text.matchAll(/<form method="post" action="(\/operate[^"]*\/close)"/g)].map(([, action]) => action)
  }
  expect([await forms('read'), await forms('support')]).toEqual([[], [path]])
})
