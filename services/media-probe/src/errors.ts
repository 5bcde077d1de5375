import { Failure, type Reasons } from '@filmgate/kit/failure'
import { requestReasons } from '@filmgate/kit/request/reasons'

/** What an operator's request can be refused for; what media are refused for travels as events. */
export const reasons = {
  ...requestReasons,
  task_not_found: [404, 'No media of this task have come here.'],
} as const satisfies Reasons

export type Reason = keyof typeof reasons

/** Why media are refused: the code of the API's error list and the words for whoever sent the URL. */
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
  dns: 'our DNS does not answer',
  egress: 'nothing can be reached from here',
  store: 'our object store fails',
} as const

/** DNS, our way out or the store failed, as far as can be known: it says nothing of the media. The task is tried again until its admission ends. */
export class OwnFault extends Error {
  override name = 'OwnFault'
  constructor(
    readonly part: keyof typeof ownFaults,
    cause: unknown,
  ) {
    super(ownFaults[part], { cause })
  }
}

/** What work at the object store fails with is ours. */
export const asStoreFault = <T>(work: Promise<T>): Promise<T> =>
  work.catch(cause => {
    throw new OwnFault('store', cause)
  })

export type Finding = { measured: string; limit: string }

/** A refusal of one file, in words the client can act on. `internal` goes to the log only. */
export const reject = (code: RejectionCode, finding: Finding, internal?: string, cause?: unknown) =>
  new Failure<RejectionCode>(code, { details: finding, ...(internal && { internal }), cause })

export const isRejection = (error: unknown): error is Failure<RejectionCode> => error instanceof Failure && error.reason in rejections

/** What the refusal says was found and what is allowed. */
export function findingOf(failure: Failure<RejectionCode>): Finding {
  const details: Partial<Finding> = failure.options.details ?? {}
  return { measured: details.measured ?? '', limit: details.limit ?? '' }
}
