import type { Range } from './range'

/** An origin that may be private: the local stack's own servers. Everything else about it is checked as for any other. */
export type TrustedOrigin = {
  /** Scheme, host and port, as in `https://localhost:4125`; http is possible here only. */
  origin: string
  /** PEM of the authority that signed its certificate, believed for this origin alone. */
  ca?: string
}

/** A header that one origin is to be told, and nobody else: who hands a file out only to whoever has a key. */
export type OriginCredential = { origin: string; header: string; value: string }

export type FetchPolicy = {
  /** Refused although public: the pod, service and node ranges of one's own cluster. */
  forbiddenRanges: readonly Range[]
  trustedOrigins: readonly TrustedOrigin[]
  /** Sent to its origin from the first hop on, and no more once a redirect has led away from there. It makes no origin a trusted one. */
  credential?: OriginCredential
  /** Asked instead of the machine's own, each as `address` or `address:port`. */
  nameServers?: readonly string[]
  /** `userAgentOf`'s words about us; hosts that want to know whom to write to answer 403 without a contact. */
  userAgent?: string
}

/** Every bound of one fetch. Bytes count what arrives in the body; rates count only time spent waiting for the other side. */
export type FetchLimits = {
  redirectsMax: number
  dnsTimeoutMs: number
  connectTimeoutMs: number
  handshakeTimeoutMs: number
  /** From the request to the last byte of the headers, interim answers included, as are `headerBytesMax`. */
  headersTimeoutMs: number
  totalTimeoutMs: number
  headerBytesMax: number
  interimAnswersMax: number
  bodyBytesMax: number
  rateWindowMs: number
  bytesPerSecondMin: number
}

export const fetchLimits: FetchLimits = {
  redirectsMax: 10,
  dnsTimeoutMs: 5_000,
  connectTimeoutMs: 10_000,
  handshakeTimeoutMs: 10_000,
  headersTimeoutMs: 15_000,
  totalTimeoutMs: 120_000,
  headerBytesMax: 16_384,
  interimAnswersMax: 8,
  bodyBytesMax: 52_428_800,
  rateWindowMs: 10_000,
  bytesPerSecondMin: 8_192,
}

/**
 * Why a fetch ended without its body. The first two are refusals of what was asked; the rest is what the other side did.
 * `redirect_forbidden`: it leads on to a URL that we don't follow; to a private address it is `address_forbidden`.
 * `interrupted` is the caller's own signal.
 */
export type FetchReason =
  | 'url_forbidden'
  | 'address_forbidden'
  | 'unresolvable'
  | 'unreachable'
  | 'tls_failed'
  | 'answer_invalid'
  | 'redirect_forbidden'
  | 'redirects_exceeded'
  | 'status_unexpected'
  | 'body_too_large'
  | 'body_truncated'
  | 'too_slow'
  | 'timed_out'
  | 'interrupted'
