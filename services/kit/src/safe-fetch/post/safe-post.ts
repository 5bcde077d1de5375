import { cappedBody } from '../capped-body'
import { checkUrl } from '../check-url'
import { type FetchLimits, type FetchPolicy, fetchLimits } from '../fetch-policy'
import { connectHop } from '../hop/connect-hop'
import { type Ending, openEnding } from '../hop/ending'
import { framingOf } from '../hop/framing'
import type { Hop, HopPost } from '../hop/request-hop'
import { resolveHost } from '../resolve-host'

export type SafePostInput = HopPost & { url: string; answerBytesMax: number; limits?: Partial<FetchLimits>; signal?: AbortSignal }

export type PostAnswer = {
  status: number
  /** The start of its body, `answerBytesMax` bytes at most. */
  answer: Buffer
}

/**
 * POSTs to a URL that somebody untrusted chose, under the rules of `safeFetch`. Every status is an answer: a redirect too, which is not
 * followed. Throws Failure<FetchReason> where no answer's head came; a body that ends badly or late is cut, because the status has come.
 */
export async function safePost(policy: FetchPolicy, input: SafePostInput): Promise<PostAnswer> {
  const { url, headers, body, answerBytesMax, signal } = input
  const limits = { ...fetchLimits, ...input.limits }
  const ending = openEnding(limits.totalTimeoutMs, signal)
  try {
    const target = checkUrl(url, policy)
    const addresses = await resolveHost(target, policy, limits.dnsTimeoutMs, ending)
    const hop = await connectHop({ ...target, userAgent: policy.userAgent, post: { headers, body } }, addresses, limits, ending)
    return { status: hop.head.status, answer: await readStart(hop, answerBytesMax, limits, ending) }
  } finally {
    ending.stop()
  }
}

const bodiless = [204, 304]

async function readStart(hop: Hop, bytesMax: number, limits: FetchLimits, ending: Ending): Promise<Buffer> {
  const parts: Uint8Array[] = []
  try {
    if (bodiless.includes(hop.head.status)) return Buffer.alloc(0)
    let bytes = 0
    for await (const part of cappedBody(hop, framingOf(hop.head), { ...limits, bodyBytesMax: Number.POSITIVE_INFINITY }, ending)) {
      parts.push(part)
      bytes += part.length
      if (bytes >= bytesMax) break
    }
  } catch {
    // The status stands; what has come of the body is kept.
  } finally {
    hop.wire.close()
  }
  return Buffer.concat(parts).subarray(0, bytesMax)
}
