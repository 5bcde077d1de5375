import { Failure } from '@filmgate/kit/failure'
import type { FetchPolicy } from '@filmgate/kit/safe-fetch/fetch-policy'
import { safePost } from '@filmgate/kit/safe-fetch/post/safe-post'
import { Webhook } from 'standardwebhooks'
import type { Attempt } from '../deliveries/delivery'
import { signingKey } from '../secrets/signing-key'
import type { Vault } from '../secrets/vault'
import type { Claimed } from './claim-repository'

export type AttemptDeps = { vault: Vault; policy: FetchPolicy; attemptTimeoutMs: number; now: () => Date }

const answerBytesMax = 256

/** One request, signed where there is a secret, and what came of it. Throws where the process stops or a fault of ours keeps it from being made. */
export async function attempt(deps: AttemptDeps, claimed: Claimed, signal: AbortSignal): Promise<Attempt> {
  const { policy, attemptTimeoutMs: ms, now } = deps
  const at = now()
  const headers = await signedHeaders(deps, claimed, at)
  const startedMs = performance.now()
  const record = (status: number | null, error: string | null, answer: string | null): Attempt => {
    return { at: at.toISOString(), duration_ms: Math.round(performance.now() - startedMs), status, error, answer }
  }
  try {
    const limits = { totalTimeoutMs: ms, dnsTimeoutMs: ms, connectTimeoutMs: ms, handshakeTimeoutMs: ms, headersTimeoutMs: ms }
    const { status, answer } = await safePost(policy, { url: claimed.url, headers, body: claimed.body, answerBytesMax, limits, signal })
    return record(status, faultOf(status), asText(answer))
  } catch (error) {
    if (!(error instanceof Failure) || error.reason === 'interrupted') throw error
    return record(null, error.reason, null)
  }
}

async function signedHeaders({ vault }: AttemptDeps, { id, body, secret, secretOf, formerSecret }: Claimed, at: Date) {
  const secrets = await Promise.all([secret, formerSecret].flatMap(sealed => (sealed ? vault.open(secretOf, sealed) : [])))
  const signatures = secrets.map(secret => new Webhook(signingKey(secret), { format: 'raw' }).sign(id, at, body))
  return {
    'Content-Type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    ...(signatures.length > 0 && { 'webhook-signature': signatures.join(' ') }),
  }
}

/** A redirect is not followed: where it leads, nobody has checked. */
function faultOf(status: number): string | null {
  if (status >= 200 && status < 300) return null
  return status >= 300 && status < 400 ? 'redirect_not_followed' : 'status_unexpected'
}

/** As a row can hold it and a page can show it. Escaped, a control character would take six bytes. */
const asText = (bytes: Buffer): string => bytes.toString('utf8').replaceAll(/\p{Cc}/gu, '\ufffd')
