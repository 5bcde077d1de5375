import { expect, test } from 'bun:test'
import { accountId, taskId } from '../testing/fake-services'
import { operateSystemForTests } from '../testing/operate-system'

const system = operateSystemForTests()
const requestId = 'ab'.repeat(16)
const row = {
  ...{ account_id: accountId, key_id: 'k1', created_at: '2026-11-20T10:00:00.000Z', method: 'POST', path: '/api/v1/<path>' },
  ...{ status: 402, code: 'insufficient_credits', duration_ms: 12, request_id: requestId, task_id: taskId },
  refusal: { error: { code: 'insufficient_credits', message: 'Too <few>.' } },
}
const serve = (data: object[], next: string | null = null) =>
  system.services.answers.set('gateway GET /requests', { data, next_cursor: next })
const queries = () => system.services.calls.filter(({ path }) => path === '/requests').map(({ query }) => query)

test('an operator who only reads sees what an account was refused, and what clients sent is text', async () => {
  serve([row], 'older')
  const page = await (await system.ask(`/operate/requests?account=${accountId}&from=2026-11-20T08:30`, 'read')).text()
  for (const words of [
    '/api/v1/&lt;path&gt;',
    'Too &lt;few&gt;.',
    requestId,
    `/operate/accounts/${accountId}`,
    `/operate/tasks/${taskId}`,
    'cursor=older',
  ])
    expect(page).toContain(words)
  expect(queries().at(-1)).toBe(`account=${accountId}&from=2026-11-20T08%3A30%3A00.000Z`)
})

test('without an account and a request nothing is asked; a silent gateway is named', async () => {
  const asked = queries().length
  expect(await (await system.ask('/operate/requests', 'read')).text()).toContain('Enter an account or a request ID.')
  expect(queries()).toHaveLength(asked)
  system.services.answers.set('gateway GET /requests', 'silent')
  expect(await (await system.ask('/operate/requests?account=a', 'read')).text()).toContain('The gateway does not respond.')
})

test('the search finds a request ID, also of several requests', async () => {
  const unknown = { refusedWith: 404, code: 'not_found', message: 'No such thing.' }
  for (const route of [`GET /tasks/${requestId}`, `GET /accounts/${requestId}`]) system.services.answers.set(route, unknown)
  system.services.answers.set('gateway GET /accounts', { data: [], next_cursor: null })
  system.services.answers.set('dispatcher GET /attempts', { data: [] })
  serve([row, row])
  const answer = await system.ask(`/operate/search?text=${requestId}`, 'support')
  expect(answer.headers.get('location')).toBe(`/operate/requests?request=${requestId}`)
  serve([])
  expect(await (await system.ask(`/operate/search?text=${requestId}`, 'support')).text()).toContain('Nothing was found.')
})

test('the page of an account leads to its requests', async () => {
  system.services.answers.delete(`GET /accounts/${accountId}`)
  const page = await (await system.ask(`/operate/accounts/${accountId}`, 'read')).text()
  expect(page).toContain(`/operate/requests?account=${accountId}`)
})
