import { AsyncLocalStorage } from 'node:async_hooks'

/**
 * What calls to a provider came to. `silent`: those that got no answer, or one that says nothing of what was asked.
 * `rateLimited`: one was answered 429, or named a time until the next (`retryAfterMs`, the longest). A 429 alone is not
 * silence: the provider is there.
 */
export type Tally = { answered: number; silent: number; rateLimited: boolean; retryAfterMs: number | undefined }

const tallies = new AsyncLocalStorage<Tally>()

/** Starts work with the calls that it makes counted, however deep within a connector. The tally is whole once that is over. */
export function withTally<T>(start: () => T): { working: T; tally: Tally } {
  const tally: Tally = { answered: 0, silent: 0, rateLimited: false, retryAfterMs: undefined }
  return { working: tallies.run(tally, start), tally }
}

/** Of a provider that doesn't let us in, has no time or is out of order: the next call would be told the same. */
const saysNothing = (status: number): boolean => [401, 403, 408, 429].includes(status) || status >= 500

/** The head of an answer, whatever became of the rest of it. */
export type MetAnswer = { status: number; retryAfter: string | null }

/** Counts one call. `usable`: its answer could be read. */
export function countCall(met: MetAnswer | undefined, usable: boolean, now = Date.now()): void {
  const tally = tallies.getStore()
  if (!tally) return
  if (met && usable && !saysNothing(met.status)) {
    tally.answered += 1
    return
  }
  if (met?.status !== 429) tally.silent += 1
  const waitMs = met && saysNothing(met.status) ? retryAfterMs(met.retryAfter, now) : undefined
  if (waitMs !== undefined) tally.retryAfterMs = Math.max(tally.retryAfterMs ?? 0, waitMs)
  if (met?.status === 429 || waitMs !== undefined) tally.rateLimited = true
}

/** A poll was told something, whatever status it came with: MiniMax says with 500 that it knows no such task. */
export function countTold(): void {
  const tally = tallies.getStore()
  if (tally) tally.answered += 1
}

/** RFC 9110, 10.2.3: seconds, or the moment as HTTP writes dates. Undefined for anything else. */
export function retryAfterMs(header: string | null, now: number): number | undefined {
  if (header === null) return undefined
  const text = header.trim()
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1_000
  const at = /^[A-Z][a-z]{2},? /.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(at) ? undefined : Math.max(0, at - now)
}
