import { Failure } from '@filmgate/kit/failure'
import { type FetchPolicy, type FetchReason, fetchLimits } from '@filmgate/kit/safe-fetch/fetch-policy'
import { type SafeFetched, type SafeFetchInput, safeFetch } from '@filmgate/kit/safe-fetch/safe-fetch'
import { OwnFault } from '../errors'
import type { Network } from './network'

export type FetchDeps = { policy: FetchPolicy; network: Network }

/**
 * As `safeFetch`, but a host that is not found or reached is asked once more, within the same total time, after a look at our own network.
 * Throws OwnFault where that fails. What the second fetch throws, and its body, is for `throwIfOwnFault` to look at.
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

/** Throws OwnFault where the failure of a fetch may be our network's doing and our network failed since it began. */
export async function throwIfOwnFault({ network }: FetchDeps, error: unknown, beganMs: number): Promise<void> {
  if (!(error instanceof Failure)) return
  if (isUnresolved(error) && !(await network.dns(beganMs))) throw new OwnFault('dns', error)
  if ((isUnreachable(error) || isInterrupted(error)) && !(await network.egress(beganMs))) throw new OwnFault('egress', error)
}

/** No answer about the name, unlike the answer that there is none. */
const isUnresolved = ({ reason, options }: Failure): boolean => (reason as FetchReason) === 'unresolvable' && options.cause !== undefined

/** A refused connection too: the runtime has one code for it and for a network without a route. */
const isUnreachable = ({ reason }: Failure): boolean => (reason as FetchReason) === 'unreachable'

/** Bytes stopped coming, or the connection broke. An answer that is invalid by itself has no cause. */
const isInterrupted = ({ reason, options }: Failure): boolean =>
  (['too_slow', 'timed_out', 'body_truncated'] as FetchReason[]).includes(reason as FetchReason) ||
  ((reason as FetchReason) === 'answer_invalid' && options.cause !== undefined)
