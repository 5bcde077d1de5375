import type { Rendered } from './rendered'

/** 304 where the client has it already, else the bytes, compressed where the client takes gzip. `set` is Elysia's. */
export function answerRendered(
  request: Request,
  set: { status?: number | string; headers: Record<string, string | number> },
  { plain, gzipped, etag }: Rendered,
  contentType: string,
  cacheControl: string,
): Response | undefined {
  const zip = acceptsGzip(request.headers.get('accept-encoding'))
  // A strong tag names one encoding's bytes, so that each encoding has its own.
  const tag = zip ? `${etag.slice(0, -1)}-gzip"` : etag
  set.headers.etag = tag
  set.headers['cache-control'] = cacheControl
  set.headers.vary = 'Accept-Encoding'
  if (matches(request.headers.get('if-none-match'), etag)) {
    set.status = 304
    return undefined
  }
  set.headers['content-type'] = contentType
  if (zip) set.headers['content-encoding'] = 'gzip'
  return new Response(zip ? gzipped : plain)
}

/** If-None-Match compares weakly (RFC 9110), and either encoding of the same bytes is the same to it. */
function matches(header: string | null, etag: string): boolean {
  if (header === null) return false
  if (header.trim() === '*') return true
  return header.split(',').some(
    tag =>
      tag
        .trim()
        .replace(/^W\//, '')
        .replace(/-gzip"$/, '"') === etag,
  )
}

const acceptsGzip = (header: string | null): boolean =>
  /(^|[,\s])(gzip|\*)\s*(;\s*q=(?!0(\.0*)?\s*(,|$))[\d.]+)?\s*(,|$)/i.test(header ?? '')
