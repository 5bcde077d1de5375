import { expect, test } from 'bun:test'
import type { Call, Json } from './operator-api'
import { outboxResend } from './outbox-resend'

type Body = { limit: number; until?: string; dry_run: boolean; topic?: string }
const input = { service: 'ledger', since: '2026-01-01T00:00:00.000Z', reason: 'a disk was lost', by: 'ada' } as const

/** A service with so many events within the window. */
function service(events: number) {
  const asked: [string, string, Body][] = []
  const call: Call = async (of, _, path, body) => {
    const wanted = body as Body
    asked.push([of, path, wanted])
    const portion = Math.min(wanted.limit, events)
    if (!wanted.dry_run) events -= portion
    return { events: portion, waiting: 0, until: '2026-01-02T00:00:00.000Z' } as Json
  }
  return { call, asked }
}

test('a resend goes on in portions until nothing is left, all within the time of the first', async () => {
  const { call, asked } = service(2_500)
  const words: string[] = []
  expect(await outboxResend(call, { ...input, progress: line => words.push(line) })).toEqual({
    service: 'ledger',
    resent: 2_500,
    since: input.since,
    until: '2026-01-02T00:00:00.000Z',
    interrupted: false,
  })
  expect(asked.map(([of, path, body]) => [of, path, body.until])).toEqual([
    ['ledger', '/outbox/resend', undefined],
    ...Array.from({ length: 3 }, () => ['ledger', '/outbox/resend', '2026-01-02T00:00:00.000Z']),
  ])
  expect(words.at(-1)).toBe('2500 put back, 0 wait to be published')
})

test('no more than the limit is sent again', async () => {
  const { call, asked } = service(5_000)
  expect(await outboxResend(call, { ...input, limit: 1_200 })).toMatchObject({ resent: 1_200 })
  expect(asked.map(([, , body]) => body.limit)).toEqual([1_000, 200])
})

test('a dry run asks once and says how many', async () => {
  const { call, asked } = service(3_000)
  expect(await outboxResend(call, { ...input, dryRun: true })).toMatchObject({ would_resend: 3_000 })
  expect(asked.length).toBe(1)
})

test('an interrupted resend ends after its portion and says so', async () => {
  const { call } = service(3_000)
  const interrupt = new AbortController()
  expect(await outboxResend(call, { ...input, signal: interrupt.signal, progress: () => interrupt.abort() })).toMatchObject({
    resent: 1_000,
    interrupted: true,
  })
})
