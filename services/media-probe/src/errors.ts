import { Failure, type Reasons } from '@filmgate/kit/failure'
import { requestReasons } from '@filmgate/kit/request/reasons'

/** Reasons to refuse an operator's request. Media rejections are events instead. */
export const reasons = {
  ...requestReasons,
  task_not_found: [404, 'This task has no media here.'],
  upload_not_found: [404, 'This is no signed address of an upload.'],
  verdict_unavailable: [503, 'The upload can’t be judged now. It is when a request names it.'],
} as const satisfies Reasons

export type Reason = keyof typeof reasons

/** Reasons to reject media: the code in the API's error list, and the message for the client. */
export const rejections = {
  media_unreachable: 'The file could not be fetched.',
  media_forbidden_address: 'The URL may not be fetched: use https on port 443 of a public host.',
  media_too_large: 'The file is too large.',
  media_type_unsupported: 'The file is not of a supported type.',
  media_dimensions: 'The width, height or ratio is outside the limits.',
  media_frame_rate: 'The frame rate is outside the limits.',
  media_duration: 'The length is outside the limits.',
  media_duration_mismatch: 'The declared duration is not the length of the file.',
  media_corrupt: 'The file is damaged or contradicts itself.',
  generation_unavailable: 'A fault of ours kept the media from being checked. Nothing was charged.',
} as const

export type RejectionCode = keyof typeof rejections
export const rejectionCodes = Object.keys(rejections) as RejectionCode[]

export const ownFaults = {
  dns: 'our DNS does not respond',
  egress: 'our egress does not work',
  store: 'our object store failed',
  copy: 'our clean copy decodes worse than the file',
} as const

/**
 * Our DNS, egress or object store failed, so nothing is known about the media. The task is retried until its admission
 * ends. A bad copy ends it at once: another run would make the same.
 */
export class OwnFault extends Error {
  override name = 'OwnFault'
  constructor(
    readonly part: keyof typeof ownFaults,
    cause: unknown,
  ) {
    super(ownFaults[part], { cause })
  }
}

/** Failures of object store calls are our own faults. */
export const asStoreFault = <T>(work: Promise<T>): Promise<T> =>
  work.catch(cause => {
    throw new OwnFault('store', cause)
  })

export type Finding = { measured: string; limit: string }

/** Rejects one file with details that the client can act on. `internal` is only logged. */
export const reject = (code: RejectionCode, finding: Finding, internal?: string, cause?: unknown) =>
  new Failure<RejectionCode>(code, { details: finding, ...(internal && { internal }), cause })

export const isRejection = (error: unknown): error is Failure<RejectionCode> => error instanceof Failure && error.reason in rejections

/** "The length is outside the limits: reference_video_urls[1] measured 16.02 s, allowed 2–15 s." */
export function rejectionMessage(failure: Failure<RejectionCode>, place = ''): string {
  const general = rejections[failure.reason]
  const { measured, limit } = findingOf(failure)
  return measured ? `${general.replace(/\.$/, '')}: ${place && `${place} `}measured ${measured}, allowed ${limit}.` : general
}

/** The measured value and the limit of a rejection. */
export function findingOf(failure: Failure<RejectionCode>): Finding {
  const details: Partial<Finding> = failure.options.details ?? {}
  return { measured: details.measured ?? '', limit: details.limit ?? '' }
}
