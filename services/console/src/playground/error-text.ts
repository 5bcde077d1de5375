import type { GatewayError } from '../gateway/gateway'
import { minuteText } from '../layout/numbers'

/** The error message for a person: the gateway's own, except where it addresses programs or only the paid balance. */
export function errorText({ code, message, details, retryAfter }: GatewayError): string {
  if (code === 'rate_limited' && details && 'limit' in details) return refusalsText(retryAfter)
  if (code === 'insufficient_credits') return 'Your balances are too low for this video. Nothing was charged.'
  if (code === 'unfinished_task_limit') return `${message}${untilText(details)}`
  if (code === 'idempotency_key_reused') return askedBefore
  if (code === 'budget_exceeded') return budgetText(details)
  if (code !== 'rate_limited') return message
  const wait = retryAfter === undefined ? 'a minute' : retryAfter === 1 ? 'a second' : `${retryAfter} seconds`
  return `Too many videos were requested within a minute. Nothing was charged. Wait ${wait} and try again.`
}

/** An id is bound to what was sent first, whose outcome may be unknown. */
const askedBefore = 'This was sent before with other fields, and may have made a video. Look at your tasks before you send it again.'

type BudgetDetails = { budget?: string; left_credits?: number; resets_at?: string | null }

/** The budget of refusals holds the account, not the person who clicks. */
function refusalsText(retryAfterSeconds = 60): string {
  const minutes = Math.ceil(retryAfterSeconds / 60)
  return `Too many requests of this account were refused, or their media took too long to check. Nothing was charged. Wait ${minutes === 1 ? 'a minute' : `${minutes} minutes`} and try again.`
}

const budgetNames: Record<string, string> = { member: 'Your budget', account: 'The budget of this account' }

/** Numbers from the gateway: whose budget is too small for the video, and when it begins anew. */
function budgetText({ budget = '', left_credits: left = 0, resets_at: resetsAt }: BudgetDetails = {}): string {
  const back = resetsAt ? `It begins anew at ${minuteText(resetsAt)}` : 'An owner of the account can raise it'
  return `${budgetNames[budget] ?? 'A budget'} has ${left} credits left, too few for this video. Nothing was charged. ${back}.`
}

/** When the first of the tasks that are waited for stops counting, where that is known. */
function untilText(details: { unfinished?: { until?: string }[] } = {}): string {
  const [first] = (details.unfinished ?? []).flatMap(({ until }) => until ?? []).sort()
  return first === undefined
    ? ''
    : ` A task whose outcome is being checked counts until ${minuteText(first)} at the latest. Its credits stay held.`
}
