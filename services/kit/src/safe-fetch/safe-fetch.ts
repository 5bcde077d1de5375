import { Failure } from '../failure'
import { cappedBody } from './capped-body'
import { checkUrl } from './check-url'
import { type FetchLimits, type FetchPolicy, type FetchReason, fetchLimits } from './fetch-policy'
import { connectHop } from './hop/connect-hop'
import { type Ending, openEnding } from './hop/ending'
import { framingOf } from './hop/framing'
import { checkRedirect, locationOf } from './hop/redirect'
import type { Hop } from './hop/request-hop'
import { resolveHost } from './resolve-host'

export type SafeFetchInput = { url: string; limits?: Partial<FetchLimits>; signal?: AbortSignal }

export type SafeFetched = {
  /** The header's claim, undefined where there is none. Not more than `bodyBytesMax`; what arrives is counted all the same. */
  declaredBytes: number | undefined
  /** A length or chunks mark where the body ends, so that one that was cut is known from a whole one. */
  endMarked: boolean
  /** Unread it holds a connection until the total time is over: iterate it, or end it with `return()`. */
  body: AsyncGenerator<Uint8Array, void>
}

/**
 * GETs a URL that somebody untrusted chose: https on port 443, every answer of its name public, the connection made to an address
 * that was checked, each redirect checked again. Only 200 is an answer. Throws Failure<FetchReason>, as does reading the body.
 */
export async function safeFetch(policy: FetchPolicy, { url, limits: own, signal }: SafeFetchInput): Promise<SafeFetched> {
  const limits = { ...fetchLimits, ...own }
  const ending = openEnding(limits.totalTimeoutMs, signal)
  try {
    return await followRedirects(policy, url, limits, ending)
  } catch (error) {
    ending.stop()
    throw error
  }
}

async function followRedirects(policy: FetchPolicy, url: string, limits: FetchLimits, ending: Ending): Promise<SafeFetched> {
  let target = checkUrl(url, policy)
  let credential = policy.credential
  for (let hops = 0; hops <= limits.redirectsMax; hops += 1) {
    if (target.url.origin !== credential?.origin) credential = undefined
    const addresses = await resolveHost(target, policy, limits.dnsTimeoutMs, ending)
    const hop = await connectHop({ ...target, credential, userAgent: policy.userAgent }, addresses, limits, ending)
    const { status } = hop.head
    if (status === 200) return opened(hop, limits, ending)
    hop.wire.close()
    const location = locationOf(hop.head)
    if (location === undefined) throw new Failure<FetchReason>('status_unexpected', { details: { status }, internal: `answered ${status}` })
    target = checkRedirect(location, target.url, policy)
  }
  throw new Failure<FetchReason>('redirects_exceeded', { internal: `more than ${limits.redirectsMax} redirects` })
}

async function opened(hop: Hop, limits: FetchLimits, ending: Ending): Promise<SafeFetched> {
  try {
    const framing = framingOf(hop.head)
    const { declaredBytes } = framing
    if (declaredBytes !== undefined && declaredBytes > limits.bodyBytesMax)
      throw new Failure<FetchReason>('body_too_large', { details: { declaredBytes }, internal: `declares ${declaredBytes} bytes` })
    const body = cappedBody(hop, framing, limits, ending)
    // Begun here: `return()` of a generator that never began would close nothing.
    await body.next()
    return { declaredBytes, endMarked: !framing.endsAtClose, body }
  } catch (error) {
    hop.wire.close()
    throw error
  }
}
