import { Failure } from '@filmgate/kit/failure'
import { type FetchPolicy, type FetchReason, fetchLimits } from '@filmgate/kit/safe-fetch/fetch-policy'
import { type SafeFetched, type SafeFetchInput, safeFetch } from '@filmgate/kit/safe-fetch/safe-fetch'
import { OwnFault } from '../errors'
import type { Network } from './network'

export type FetchDeps = { policy: FetchPolicy; network: Network }

/**
 * `safeFetch` with one retry if the host can't be resolved or reached and our network works, within the same total
 * time. The caller passes errors of the second fetch and of its body to `throwIfOwnFault`.
 */
export async function fetchMedia(deps: FetchDeps, input: SafeFetchInput): Promise<SafeFetched> {
  const beganMs = performance.now()
  try {
    return await safeFetch(deps.policy, input)
  } catch (error) {
    if (!(error instanceof Failure) || !(isUnresolved(error) || isUnreachable(error))) throw error
    await throwIfOwnFault(deps, error, beganMs)
    const leftMs = (input.limits?.totalTimeoutMs ?? fetchLimits.totalTimeoutMs) - (performance.now() - beganMs)
    if (leftMs <= 0) throw error
    return await safeFetch(deps.policy, { ...input, limits: { ...input.limits, totalTimeoutMs: leftMs } })
  }
}

/** Throws OwnFault if the network could explain the fetch failure and has failed since `beganMs`. */
export async function throwIfOwnFault({ network }: FetchDeps, error: unknown, beganMs: number): Promise<void> {
  if (!(error instanceof Failure)) return
  if (isUnresolved(error) && !(await network.dns(beganMs))) throw new OwnFault('dns', error)
  if ((isUnreachable(error) || isInterrupted(error)) && !(await network.egress(beganMs))) throw new OwnFault('egress', error)
}

/** DNS gave no answer. An answer that the name doesn't exist has no cause. */
const isUnresolved = ({ reason, options }: Failure): boolean => (reason as FetchReason) === 'unresolvable' && options.cause !== undefined

/** Includes refused connections: the runtime reports them with the same code as a missing route. */
const isUnreachable = ({ reason }: Failure): boolean => (reason as FetchReason) === 'unreachable'

/** The transfer stalled or the connection broke. A response that is itself invalid has no cause. */
const isInterrupted = ({ reason, options }: Failure): boolean =>
  (['too_slow', 'timed_out', 'body_truncated'] as FetchReason[]).includes(reason as FetchReason) ||
  ((reason as FetchReason) === 'answer_invalid' && options.cause !== undefined)
