import { AccountLimits } from '@filmgate/proto/operator/account'
import { OpsFault } from '../fault'
import { type Call, callFor } from '../operator-api'

export type LimitOptions = { requests?: number; unfinished?: number; reset?: true; reason: string }

/** Gives an account limits of its own, or the services' settings again; what is not named stays. */
export function accountLimits(call: Call, accountId: string, { requests, unfinished, reset, reason }: LimitOptions) {
  if (reset && (requests ?? unfinished) !== undefined) throw new OpsFault('--reset goes without --requests and --unfinished.')
  if (!reset && (requests ?? unfinished) === undefined) throw new OpsFault('Name --requests, --unfinished or --reset.')
  const limits = reset
    ? { requests_a_minute: null, unfinished_tasks_max: null }
    : {
        ...(requests !== undefined && { requests_a_minute: requests }),
        ...(unfinished !== undefined && { unfinished_tasks_max: unfinished }),
      }
  return callFor(call, AccountLimits, 'gateway', 'POST', `/accounts/${encodeURIComponent(accountId)}/limits`, { ...limits, reason })
}
