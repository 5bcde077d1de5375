import { Failure } from '@filmgate/kit/failure'
import type { Reason } from '../errors'

export const bodyBytesMax = 64 * 1024

/** The body as JSON: size first (413), then content type, then syntax (400). Bytes are counted as they come, whatever the header says. */
export async function readJson(request: Request): Promise<unknown> {
  if (Number(request.headers.get('content-length') ?? 0) > bodyBytesMax) throw new Failure<Reason>('body_too_large')
  const bytes = await readBounded(request)
  if (!/^application\/json *(;|$)/i.test(request.headers.get('content-type') ?? '')) throw new Failure<Reason>('invalid_content_type')
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    throw new Failure<Reason>('invalid_json')
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
