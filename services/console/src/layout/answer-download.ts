type Settable = { headers: Record<string, string | number> }
type Download = { stream: ReadableStream<Uint8Array>; type: string; fileName: string }

/**
 * Responds with a file that is streamed. A bare stream would get a chunked header from the framework, while the runtime
 * sets a length for a short one; clients reject a response with both.
 */
export function answerDownload(set: Settable, { stream, type, fileName }: Download): Response {
  set.headers['content-type'] = `${type}; charset=utf-8`
  set.headers['content-disposition'] = `attachment; filename="${fileName}"`
  return new Response(stream)
}
