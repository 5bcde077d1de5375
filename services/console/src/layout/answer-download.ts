type Settable = { headers: Record<string, string | number> }
type Download = { stream: ReadableStream<Uint8Array>; type: string; fileName: string }

/**
 * A file, told as it is asked for. Handed over as a bare stream the framework would call it chunked, while the runtime gives a short one its
 * length: no client reads an answer with both.
 */
export function answerDownload(set: Settable, { stream, type, fileName }: Download): Response {
  set.headers['content-type'] = `${type}; charset=utf-8`
  set.headers['content-disposition'] = `attachment; filename="${fileName}"`
  return new Response(stream)
}
