/** What a provider's own error says, in whatever words it has for it. */
export type OwnError = 'key' | 'balance' | 'absent' | 'late' | 'conflict' | 'policy' | 'invalid' | 'many' | 'broken'

type Answered = { status: number; body: OwnError | 'page'; retryAfter?: string }

/** Ways to answer a call badly. A page comes from whoever stands before the provider; an error is in the provider's own form. */
const named = [
  ['401', { status: 401, body: 'key' }],
  ['402', { status: 402, body: 'balance' }],
  ['403 balance', { status: 403, body: 'balance' }],
  ['403 page', { status: 403, body: 'page' }],
  ['404', { status: 404, body: 'absent' }],
  ['408', { status: 408, body: 'late' }],
  ['409', { status: 409, body: 'conflict' }],
  ['422 policy', { status: 422, body: 'policy' }],
  ['422 other', { status: 422, body: 'invalid' }],
  ['429', { status: 429, body: 'many' }],
  ['429 Retry-After', { status: 429, body: 'many', retryAfter: '3600' }],
  ['500', { status: 500, body: 'broken' }],
  ['502', { status: 502, body: 'page' }],
  ['503', { status: 503, body: 'page' }],
  ['504', { status: 504, body: 'page' }],
  ['200 HTML', { status: 200, body: 'page' }],
  ['200 error', { status: 200, body: 'invalid' }],
  ['reset', 'reset'],
  ['silence', 'silence'],
  ['TLS fault', 'tls'],
] as const satisfies (readonly [name: string, how: Answered | 'reset' | 'silence' | 'tls'])[]

export type Row = (typeof named)[number][0]
export const rowNames: readonly Row[] = named.map(([name]) => name)
export const rows = Object.fromEntries(named) as Record<Row, Answered | 'reset' | 'silence' | 'tls'>
