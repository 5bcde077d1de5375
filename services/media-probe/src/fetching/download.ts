import { open } from 'node:fs/promises'
import { Failure } from '@filmgate/kit/failure'
import { fetchLimits as defaultLimits, type FetchLimits, type FetchReason } from '@filmgate/kit/safe-fetch/fetch-policy'
import { namesUpload } from '@filmgate/kit/upload-url'
import type { KindLimits } from '@filmgate/proto/gen/filmgate/v1/order_pb'
import { type RejectionCode, reject } from '../errors'
import { bytesMaxOf, checkFormat } from '../limits/check'
import type { Format } from '../limits/formats'
import type { ByteBudget } from './byte-budget'
import { type FetchDeps, fetchMedia, throwIfOwnFault } from './fetch-media'
import { readUpload, type Uploads } from './read-upload'
import { sniff, sniffBytesFor } from './sniff'

/** Without `uploads`, an input that names an upload is refused. */
export type DownloadDeps = FetchDeps & { fetchLimits: Partial<FetchLimits>; uploads?: Uploads | undefined; onBytes(bytes: number): void }
export type DownloadInput = { url: string; accountId: string; path: string; limits: KindLimits; budget: ByteBudget; signal: AbortSignal }
export type Downloaded = { format: Format; bytes: number }

/**
 * Streams a URL to `path`. Stops at a wrong type or at the first byte over a limit.
 * Throws Failure<RejectionCode>, or OwnFault if our network failed.
 */
export async function download(
  { fetchLimits, uploads, onBytes, ...deps }: DownloadDeps,
  { url, accountId, path, limits, budget, signal }: DownloadInput,
): Promise<Downloaded> {
  const bodyBytesMax = bytesMaxOf(limits)
  const file = await open(path, 'wx', 0o600)
  let bytes = 0
  let head = Buffer.alloc(0)
  let format: Format | undefined
  const beganMs = performance.now()
  try {
    const body = namesUpload(url)
      ? readUpload({ uploads, ...defaultLimits, ...fetchLimits }, { url, accountId, bodyBytesMax, signal })
      : (await fetchMedia(deps, { url, limits: { ...fetchLimits, bodyBytesMax }, signal })).body
    for await (const chunk of body) {
      onBytes(chunk.length)
      bytes += chunk.length
      if (!budget.take(chunk.length))
        throw reject('media_too_large', { measured: 'more in all', limit: `${budget.bytesMax} bytes of all media together` })
      if (!format) {
        head = Buffer.concat([head, chunk])
        if (head.length >= sniffBytesFor(head)) format = decideFormat(head, limits)
      }
      await file.appendFile(chunk)
    }
    return { format: format ?? decideFormat(head, limits), bytes }
  } catch (error) {
    await throwIfOwnFault(deps, error, beganMs)
    throw error instanceof Failure && error.reason in rejectionByReason ? asRejection(error as Failure<FetchReason>, bodyBytesMax) : error
  } finally {
    await file.close()
  }
}

function decideFormat(head: Buffer, limits: KindLimits): Format {
  if (head.length === 0) throw reject('media_corrupt', { measured: '0 bytes', limit: 'a file' })
  const found = sniff(head)
  checkFormat(found, limits.formats)
  return found.format
}

/** The client's view of each fetch failure. It reveals no address and nothing of a server's response. */
const rejectionByReason: Record<Exclude<FetchReason, 'interrupted'>, [code: RejectionCode, measured: string, limit: string]> = {
  url_forbidden: ['media_forbidden_address', 'a URL of another kind', 'a plain https URL on port 443'],
  address_forbidden: ['media_forbidden_address', 'not a public address', 'public addresses only'],
  unresolvable: ['media_unreachable', 'the name has no usable address', 'a public name'],
  unreachable: ['media_unreachable', 'no connection', 'a host that answers'],
  tls_failed: ['media_unreachable', 'no valid certificate', 'TLS with a valid certificate for the name'],
  answer_invalid: ['media_unreachable', 'no valid HTTP answer', 'an HTTP answer'],
  redirect_forbidden: ['media_unreachable', 'a redirect that is not followed', 'redirects to https on port 443 of public hosts'],
  redirects_exceeded: ['media_unreachable', 'too many redirects', `at most ${defaultLimits.redirectsMax} redirects`],
  status_unexpected: ['media_unreachable', 'another answer', 'status 200'],
  body_too_large: ['media_too_large', '', ''],
  body_truncated: ['media_unreachable', 'the connection ended before the file did', 'the whole file'],
  too_slow: ['media_unreachable', 'it arrives too slowly', 'at least 8 KiB a second'],
  timed_out: ['media_unreachable', 'it did not arrive in time', 'the whole file within two minutes'],
}

function asRejection(failure: Failure<FetchReason>, bytesMax: number): Failure<RejectionCode> {
  if (failure.reason === 'interrupted') throw failure.options.cause ?? failure
  const [code, measured, limit] = rejectionByReason[failure.reason]
  if (code === 'media_too_large')
    return reject(code, { measured: `more than ${bytesMax} bytes`, limit: `${bytesMax} bytes` }, failure.message, failure)
  return reject(code, { measured: describeFinding(failure) ?? measured, limit }, failure.message, failure)
}

type FetchDetails = { status?: number; words?: string }

const notPublic = ' (the link isn’t public, or it has expired)'
/** Stores answer 403 to expired and unsigned links, and share pages 401. */
const statusMeaning: Record<number, string> = { 401: notPublic, 403: notPublic }

/** What the fetch found about the client's URL or its redirect, if more is known than the reason. */
function describeFinding({ reason, options }: Failure<FetchReason>): string | undefined {
  const { status, words }: FetchDetails = options.details ?? {}
  if (reason === 'status_unexpected') return status === undefined ? undefined : `status ${status}${statusMeaning[status] ?? ''}`
  return reason === 'url_forbidden' && words !== undefined ? `a URL that ${words}` : words
}
