import { expect, test } from 'bun:test'
import type { Provider } from '@filmgate/proto/operator/provider'
import type { Operator } from '../access/require-operator'
import { providersPage } from './page'

const asking = { breaker: 'closed', unanswered_calls: 0, held_until: null, waiting_ms: 0 }
function askingText(own: Partial<NonNullable<Provider['asking']>>): string {
  const provider = { provider: 'fal', on: true, key: 'accepted', absences: 'counted', asking: { ...asking, ...own } } as Provider
  const operator = { name: 'ada', role: 'read' } as unknown as Operator
  const listed = { ok: true as const, status: 200, value: { data: [provider] } }
  return String(
    providersPage({
      operator,
      providers: listed,
      last: undefined,
      notice: undefined,
    }),
  )
}

test('a provider that limits our rate is shown so, with the time, before its breaker', () => {
  expect(askingText({ rate_limited_until: '2026-11-25T10:00:02.000Z', breaker: 'open' })).toMatch(/rate limited.*until .*10:00/s)
  expect(askingText({ rate_limited_until: null, breaker: 'open', unanswered_calls: 21 })).toContain('21 unanswered calls')
  expect(askingText({})).toContain('ready')
})
