import { DeadlineError, withDeadline } from '@filmgate/kit/deadline'
import { Failure } from '@filmgate/kit/failure'
import type { Reason } from '../../errors'

/** Stripe's largest events have some tens of KiB. */
export const eventBytesMax = 256 * 1024
const timeoutMs = 15_000

/**
 * Reads the raw bytes of the body, because the signature covers them. Answers 413 beyond 256 KiB, counted while
 * reading.
 */
export async function readRawBody(request: Request): Promise<Uint8Array> {
  if (Number(request.headers.get('content-length') ?? 0) > eventBytesMax) throw new Failure<Reason>('body_too_large')
  try {
    return await withDeadline(readBounded(request), timeoutMs, 'the body')
  } catch (error) {
    if (error instanceof DeadlineError) throw new Failure<Reason>('invalid_request')
    throw error
  }
}

async function readBounded(request: Request): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of request.body ?? []) {
    bytes += chunk.byteLength
    if (bytes > eventBytesMax) throw new Failure<Reason>('body_too_large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
