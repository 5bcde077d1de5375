import { Failure } from '@filmgate/kit/failure'
import { isAclRefusal } from '@filmgate/kit/object-store'
import { UnreadMp4 } from '../delivery/mp4-reader'

/** No whole file came: the provider's host gave none, or our network lost it. Which of the two can't be known here. */
export class SourceFault extends Error {
  override name = 'SourceFault'
  constructor(cause: unknown) {
    super(cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause), { cause })
  }
}

/** The whole file was read, to an end that its sender marked, and it is no video. */
export class NotVideo extends Error {
  override name = 'NotVideo'
  constructor(
    words: string,
    readonly sha256: string,
  ) {
    super(`the output ${words}`)
  }
}

/**
 * Why a copy failed.
 * `gone`: the host says that there is no such file. `refused`: it answers with another error status.
 * `too_large`: longer than we take. `forbidden`: an address that nothing is fetched from.
 * `unfetched`: anything else between us and the file. `unread`: our reader of MP4 could not judge the file.
 * `own_fault`: our storage, or our own deadline. `acl_refused`: our bucket takes no ACL, and S3_OUTPUTS_PUBLIC_READ
 * sends one.
 */
export type CopyFault =
  | { kind: 'not_video'; words: string; sha256: string }
  | { kind: 'gone' | 'refused' | 'too_large' | 'forbidden' | 'unfetched' | 'unread' | 'own_fault' | 'acl_refused'; words: string }

export function copyFaultOf(error: unknown): CopyFault {
  const words = error instanceof Error ? error.message : String(error)
  if (error instanceof NotVideo) return { kind: 'not_video', words, sha256: error.sha256 }
  if (error instanceof UnreadMp4) return { kind: 'unread', words }
  if (isAclRefusal(error)) return { kind: 'acl_refused', words: 'our bucket takes no ACL: turn S3_OUTPUTS_PUBLIC_READ off' }
  if (!(error instanceof SourceFault)) return { kind: 'own_fault', words }
  return { kind: sourceKind(error.cause), words }
}

/** The host answered, and not with a video: asked at once, its provider may know better. */
export const isAnswered = ({ kind }: CopyFault): boolean => kind === 'gone' || kind === 'refused' || kind === 'not_video'

function sourceKind(cause: unknown): 'gone' | 'refused' | 'too_large' | 'forbidden' | 'unfetched' {
  if (!(cause instanceof Failure)) return 'unfetched'
  const { reason, options } = cause
  if (reason === 'body_too_large') return 'too_large'
  if (reason === 'url_forbidden' || reason === 'address_forbidden') return 'forbidden'
  const status = options.details && 'status' in options.details ? options.details.status : undefined
  if (status === 404 || status === 410) return 'gone'
  // A redirect that isn't followed says nothing of the file.
  return typeof status === 'number' && status >= 400 ? 'refused' : 'unfetched'
}
