import { DeadlineError, withDeadline } from '@filmgate/kit/deadline'
import { Failure } from '@filmgate/kit/failure'
import type { Reason } from '../errors'
import { findRepeatedKey } from './find-repeated-key'

const bodyBytesMax = 64 * 1024
/** 64 KiB take less on the slowest of lines; who says nothing for so long has left. */
const bodyTimeoutMs = 30_000
const pathShownMax = 200

/** The body as JSON: size first (413), then content type, then syntax (400). */
export async function readJson(request: Request): Promise<unknown> {
  const bytes = await readBody(request)
  if (!/^application\/json *(;|$)/i.test(request.headers.get('content-type') ?? '')) throw new Failure<Reason>('invalid_content_type')
  const { text, value } = parse(bytes)
  const path = findRepeatedKey(text)
  if (path !== undefined) throw repeated(path)
  return value
}

function parse(bytes: Uint8Array): { text: string; value: unknown } {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return { text, value: JSON.parse(text) }
  } catch {
    throw new Failure<Reason>('invalid_json')
  }
}

function repeated(path: string): Failure<Reason> {
  const shown = path.length <= pathShownMax ? path : `${path.slice(0, pathShownMax)}…`
  const message = `The key ${shown} stands twice in one object of the body.`
  return new Failure('invalid_json', { message, details: { issues: [{ path: shown, rule: 'unique_key', message }] } })
}

/** At most 64 KiB (413), counted as they come, whatever the header says, and within half a minute (400). */
export async function readBody(request: Request, timeoutMs = bodyTimeoutMs): Promise<Uint8Array> {
  if (Number(request.headers.get('content-length') ?? 0) > bodyBytesMax) throw new Failure<Reason>('body_too_large')
  try {
    return await withDeadline(readBounded(request), timeoutMs, 'the body')
  } catch (error) {
    if (!(error instanceof DeadlineError)) throw error
    throw new Failure<Reason>('invalid_json', { message: `The body did not arrive within ${timeoutMs / 1_000} s.` })
  }
}

async function readBounded(request: Request): Promise<Uint8Array> {
  // A length that the header promises is kept to by the runtime, so there is nothing to count.
  if (request.headers.has('content-length')) return new Uint8Array(await request.arrayBuffer())
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of request.body ?? []) {
    bytes += chunk.byteLength
    if (bytes > bodyBytesMax) throw new Failure<Reason>('body_too_large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
