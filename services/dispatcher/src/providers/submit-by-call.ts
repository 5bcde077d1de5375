import { withAccountState } from './account/account-state'
import { callProvider, type ProviderAnswer, type ProviderCall, ProviderTrouble, UnreadAnswer } from './call'
import type { SubmitOutcome } from './connector'

/** A submit that is one call: what its answer comes to, or what it means that there was none. Never throws for the provider's sake. */
export async function submitByCall(
  call: Omit<ProviderCall, 'call' | 'method'>,
  outcomeOf: (answer: ProviderAnswer) => SubmitOutcome,
): Promise<SubmitOutcome> {
  try {
    const answer = await callProvider({ ...call, call: 'submit', method: 'POST' })
    return withAccountState(call.provider, answer, outcomeOf(answer))
  } catch (error) {
    if (!(error instanceof ProviderTrouble)) throw error
    if (error instanceof UnreadAnswer) {
      const verdict = verdictByStatus(error.status, error.kind, error.message)
      return withAccountState(call.provider, { status: error.status, body: null }, verdict)
    }
    if (error.sent) return { outcome: 'unknown', cause: error.message }
    return { outcome: 'refused', code: 'generation_unavailable', cause: `not sent: ${error.message}`, unsent: true }
  }
}

/** What an answer holds where it has none of the provider's own words: JSON of any other form, anything else, or nothing. */
type BodyKind = 'json' | UnreadAnswer['kind']

const any: readonly BodyKind[] = ['json', 'page', 'empty']

/**
 * Answers to a submit whose status alone is certain: nothing was taken. Sections are those of RFC 9110 unless another source is named, read
 * 2026-11-25. A provider whose own words say more decides before this table, in its verdict.ts.
 */
export const refusedStatuses: { statuses: readonly number[]; kinds: readonly BodyKind[]; because: string }[] = [
  { statuses: [401], kinds: any, because: '15.5.2: not applied for lack of valid credentials' },
  { statuses: [402], kinds: any, because: '15.5.3: asks for money first; no proxy answers so after the work' },
  // developers.cloudflare.com/rules/custom-errors/reference/error-page-types, and AWS WAF's knowledge center: blocked requests end so.
  { statuses: [403], kinds: any, because: '15.5.4: understood and refused; a CDN filters requests before it hands them on' },
  { statuses: [405, 413, 415], kinds: any, because: '15.5.6, 15.5.14, 15.5.16: refused by method, length or type, unread' },
  { statuses: [429], kinds: any, because: 'RFC 6585, 4: requests are counted as they come' },
]

/**
 * What a submit's answer is worth by its status and the kind of its body. Everything that isn't in the table is unknown: 400, 404 and
 * 422 may name a fault that was met after the task was made, and 2xx, 3xx, 408, 409 and 5xx may come after the provider had taken it.
 */
export function verdictByStatus(status: number, kind: BodyKind, cause: string): SubmitOutcome {
  const isRefusal = refusedStatuses.some(one => one.statuses.includes(status) && one.kinds.includes(kind))
  return isRefusal ? { outcome: 'refused', code: 'generation_unavailable', cause } : { outcome: 'unknown', cause }
}
