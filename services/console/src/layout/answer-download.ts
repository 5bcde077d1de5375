type Settable = { headers: Record<string, string | number> }
/** `parts`: the text, as it is made. */
type Download = { parts: AsyncGenerator<string, void>; type: string; fileName: string }

/**
 * Responds with a file that is streamed. A bare stream would get a chunked header from the framework, while the runtime
 * sets a length for a short one; clients reject a response with both.
 */
export async function answerDownload(set: Settable, { parts, type, fileName }: Download): Promise<Response> {
  const stream = await streamOf(parts)
  set.headers['content-type'] = `${type}; charset=utf-8`
  set.headers['content-disposition'] = `attachment; filename="${fileName}"`
  return new Response(stream)
}

/** A failure at the first part throws; a later one aborts the download, so that nobody takes a part for the whole. */
async function streamOf(parts: AsyncGenerator<string, void>): Promise<ReadableStream<Uint8Array>> {
  const encoder = new TextEncoder()
  let next = await parts.next()
  return new ReadableStream({
    async pull(controller) {
      while (next.value === '') next = await parts.next()
      if (next.done) return controller.close()
      controller.enqueue(encoder.encode(next.value))
      next = await parts.next()
    },
    cancel: async () => void (await parts.return()),
  })
}
