import type { RejectionCode } from '../errors'

/** As long as an upload: the longest that the same file is likely to be named again. */
export const measuredKeptMs = 86_400_000

/**
 * How long a rejection is remembered. 0: it isn't of the file, or costs no decoding. Damage may have been our
 * machine's, and what a file needed of the machine may differ the next time.
 */
export const rejectionKeptMs: Record<RejectionCode, number> = {
  media_corrupt: 3_600_000,
  media_type_unsupported: measuredKeptMs,
  media_dimensions: measuredKeptMs,
  media_frame_rate: measuredKeptMs,
  media_duration: measuredKeptMs,
  media_too_large: 600_000,
  media_duration_mismatch: 0,
  media_unreachable: 0,
  media_forbidden_address: 0,
  generation_unavailable: 0,
}

/** Rejections that hold under any limits. */
export const rejectionsOfContent: RejectionCode[] = ['media_corrupt', 'media_type_unsupported']
